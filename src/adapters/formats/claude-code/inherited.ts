import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { eachLine, type Line } from "../../files/bytes/line.js";
import { parseLine, recordsOf } from "../../files/bytes/parse-line.js";
import { readBeginning } from "../../files/bytes/read-short.js";
import { FileKeys } from "../../transcripts/folder/file-keys.js";
import type { Lineage } from "../../transcripts/folder/format.js";
import type { TranscriptFile, TranscriptFileGroup } from "../../transcripts/folder/transcript-files.js";
import { blocksOf, blockType } from "./record.js";

/**
 * Finds the part of a conversation that a sub-agent inherits from another file of its session. Two kinds of agents inherit records:
 * - A fork continues after a record of its parent. Its file repeats the parent's answer that started the fork.
 * - An agent that summarizes the session refers to the last records of the session as parents of its input.
 */

/** Enough bytes for the first records, which show if the agent inherits any. */
const FIRST_RECORDS_BYTES = 4 * 1024;
/** Enough bytes for all references to records of other files. */
const REFERENCES_BYTES = 1024 * 1024;

interface Beginning {
  readonly hasRecords: boolean;
  readonly isFork: boolean;
  /** IDs of records that this file refers to but does not contain. */
  readonly lastIds: readonly string[];
  /** Only for a fork: id of the API message that it repeats, whose call started it. */
  readonly repeatedId: string | undefined;
}

/**
 * Finds the file that the agent continues.
 * @returns that file, with `inheritedTo` as the end of the inherited part in bytes; `undefined` for a new conversation
 */
export function* inherited(
  root: string,
  session: TranscriptFileGroup,
  file: TranscriptFile,
): Generator<void, TranscriptFile | undefined> {
  if (!file.isAgent) return undefined;
  const { hasRecords, lastIds: firstReferences } = beginningOf(root, file.path, FIRST_RECORDS_BYTES);
  // Most sub-agents begin a new conversation: a small read is enough for them.
  if (hasRecords && firstReferences.length === 0) return undefined;
  const { isFork, lastIds } = beginningOf(root, file.path, REFERENCES_BYTES);
  if (lastIds.length === 0) return undefined;
  // An agent can fork another agent, but it summarizes only the main conversation, which is the first file.
  const possibleParents = isFork
    ? session.files.filter(({ path }) => path !== file.path)
    : [session.files[0]];
  for (const parent of possibleParents) {
    const endsById = yield* recordEnds.of(root, parent.path, addEnds);
    const inheritedEnds = lastIds.flatMap((id) => endsById.get(hash53(id)) ?? []);
    if (inheritedEnds.length > 0)
      return { ...parent, inheritedTo: inheritedEnds.reduce((a, b) => Math.max(a, b)) };
  }
  return undefined;
}

/**
 * Detects copies of the parent's answer in the file of a fork. They are replays, because the parent's file contains the originals.
 * @returns `undefined` if the file is no fork
 */
export function repeatedRecords(root: string, { path }: TranscriptFile): Lineage | undefined {
  if (!beginningOf(root, path, FIRST_RECORDS_BYTES).isFork) return undefined;
  const { repeatedId } = beginningOf(root, path, REFERENCES_BYTES);
  if (repeatedId === undefined) return undefined;
  return {
    name: `fork at ${repeatedId}`,
    isReplay: (record) =>
      record.type === "assistant" && textField(objectField(record, "message"), "id") === repeatedId,
  };
}

function beginningOf(root: string, path: string, maxBytes: number): Beginning {
  const ownIds = new Set<string>();
  const lastIds: string[] = [];
  let hasRecords = false;
  let isFork = false;
  let isOwn = false;
  let repeatedId: string | undefined;
  eachLine({ from: 0, bytes: readBeginning(root, path, maxBytes) ?? new Uint8Array() }, (line) => {
    const { record } = parseLine(line);
    if (record === undefined) return;
    hasRecords = true;
    if (record.type === "fork-context-ref") isFork = true;
    if (record.type === "user") isOwn = true;
    if (isFork && !isOwn && callsTool(record)) repeatedId ??= textField(objectField(record, "message"), "id");
    const lastId = textField(record, record.type === "fork-context-ref" ? "parentLastUuid" : "parentUuid");
    if (lastId !== undefined && !ownIds.has(lastId)) lastIds.push(lastId);
    const id = textField(record, "uuid");
    if (id !== undefined) ownIds.add(id);
  });
  return { hasRecords, isFork, lastIds, repeatedId };
}

/** A side question (`/btw`) repeats no answer: no call started it. */
function callsTool(record: JsonObject): boolean {
  return blocksOf(objectField(record, "message")).some((block) => blockType(block) === "tool_use");
}

/** End of each record in its file, in bytes, by the hash of the record's id. */
const recordEnds = new FileKeys<number>();

function addEnds(ends: Map<number, number>, line: Line): void {
  for (const record of recordsOf(line)) {
    const id = textField(record, "uuid");
    if (id !== undefined) ends.set(hash53(id), line.start + line.length);
  }
}
