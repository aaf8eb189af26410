import path from "node:path";
import type { HistoryFiles } from "../../domain/session/history-files.js";
import { faultReason } from "../files/bytes/line.js";
import { containerOf, statFile } from "../transcripts/folder/file-lookups.js";
import type { TranscriptFolder } from "../transcripts/folder/format.js";
import { oneFile } from "../transcripts/folder/one-file.js";
import { matchingFiles } from "./matching-files.js";

export interface ListedHistories {
  readonly folder: TranscriptFolder;
  readonly beside: readonly string[];
  readonly onlyFile?: string | undefined;
  readonly tenants?: readonly string[] | undefined;
}

export function* historyFiles(
  root: string,
  { folder, beside, onlyFile, tenants }: ListedHistories,
): Generator<void, HistoryFiles> {
  const listed = onlyFile === undefined ? folder : oneFile(folder, onlyFile);
  const files = new Map<string, string[]>();
  const problems: { file: string; reason: string }[] = [];
  const add = (file: string, member?: string) => {
    const members = files.get(file) ?? [];
    if (member !== undefined) members.push(member);
    files.set(file, members);
  };
  const lookup = { since: Date.now() };
  for (const tenantId of tenants ?? (yield* listed.tenants(root, lookup))) {
    try {
      for (const session of yield* listed.discover(root, tenantId, lookup)) {
        for (const { path: file, notePath } of session.files) {
          const container = containerOf(root, file)?.path ?? file;
          if (container === file) add(file);
          else add(container, path.relative(container, file));
          if (notePath !== undefined && statFile(root, notePath) !== undefined) add(notePath);
        }
        yield;
      }
    } catch (error) {
      // A tenant that cannot be listed does not affect the others.
      problems.push({ file: tenantId, reason: error instanceof Error ? error.message : faultReason(error) });
    }
  }
  const isComplete = onlyFile === undefined;
  for (const pattern of isComplete ? beside : []) {
    for (const file of yield* matchingFiles(root, pattern)) add(file);
  }
  return {
    files: [...files].map(([file, members]) =>
      members.length === 0 ? { path: file } : { path: file, members },
    ),
    problems,
  };
}
