import { objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { eachLine, type Line } from "../../files/bytes/line.js";
import { parseLine, recordsOf } from "../../files/bytes/parse-line.js";
import { readBeginning } from "../../files/bytes/read-short.js";
import { FileKeys } from "../../transcripts/folder/file-keys.js";
import type { Lineage } from "../../transcripts/folder/format.js";
import type { TranscriptFile, TranscriptFileGroup } from "../../transcripts/folder/transcript-files.js";

/**
 * The part of a sub-agent that comes from its parent. A fork continues from a record of the parent, and repeats the answer that forked
 * it; an agent that summarizes a session attaches its input to records of the session.
 */

/** Bytes for the first records, and for all references to other records. */
const FIRST_RECORDS = 4 * 1024;
const BEGINNING = 1024 * 1024;

interface Beginning {
  readonly hasRecords: boolean;
  readonly isFork: boolean;
  /** Records of another file that it continues. */
  readonly lastIds: readonly string[];
  /** Only for a fork: id of the API message that it repeats. */
  readonly repeatedId: string | undefined;
}

export function* inherited(
  root: string,
  session: TranscriptFileGroup,
  file: TranscriptFile,
): Generator<void, TranscriptFile | undefined> {
  if (!file.isAgent) return undefined;
  const { hasRecords, lastIds: first } = beginningOf(root, file.path, FIRST_RECORDS);
  // Most sub-agents begin a new conversation.
  if (hasRecords && first.length === 0) return undefined;
  const { isFork, lastIds } = beginningOf(root, file.path, BEGINNING);
  if (lastIds.length === 0) return undefined;
  // Agents can fork, too.
  const others = isFork ? session.files.filter(({ path }) => path !== file.path) : [session.files[0]];
  for (const other of others) {
    const ends = yield* recordEnds.of(root, other.path, addEnds);
    const matches = lastIds.flatMap((id) => ends.get(hash53(id)) ?? []);
    if (matches.length > 0) return { ...other, inheritedTo: matches.reduce((a, b) => Math.max(a, b)) };
  }
  return undefined;
}

/** Records that the parent wrote first: the answer that forked the agent. */
export function repeatedRecords(root: string, { path }: TranscriptFile): Lineage | undefined {
  if (!beginningOf(root, path, FIRST_RECORDS).isFork) return undefined;
  const { repeatedId } = beginningOf(root, path, BEGINNING);
  if (repeatedId === undefined) return undefined;
  return {
    name: `fork at ${repeatedId}`,
    isReplay: (record) =>
      record.type === "assistant" && textField(objectField(record, "message"), "id") === repeatedId,
  };
}

function beginningOf(root: string, path: string, most: number): Beginning {
  const own = new Set<string>();
  const lastIds: string[] = [];
  let hasRecords = false;
  let isFork = false;
  let repeatedId: string | undefined;
  eachLine({ from: 0, bytes: readBeginning(root, path, most) ?? new Uint8Array() }, (line) => {
    const { record } = parseLine(line);
    if (record === undefined) return;
    hasRecords = true;
    if (record.type === "fork-context-ref") isFork = true;
    if (isFork && record.type === "assistant") repeatedId ??= textField(objectField(record, "message"), "id");
    const lastId = textField(record, record.type === "fork-context-ref" ? "parentLastUuid" : "parentUuid");
    if (lastId !== undefined && !own.has(lastId)) lastIds.push(lastId);
    const id = textField(record, "uuid");
    if (id !== undefined) own.add(id);
  });
  return { hasRecords, isFork, lastIds, repeatedId };
}

/** File offsets by record id. */
const recordEnds = new FileKeys<number>();

function addEnds(ends: Map<number, number>, line: Line): void {
  for (const record of recordsOf(line)) {
    const id = textField(record, "uuid");
    if (id !== undefined) ends.set(hash53(id), line.start + line.length);
  }
}
