import { closeSync } from "node:fs";
import { openContained } from "../files/bytes/contained-files.js";
import { readGrowth } from "../files/bytes/file-growth.js";
import { readLines } from "../files/bytes/read-lines.js";
import {
  type FileContent,
  type IndexAnswer,
  type IndexEnd,
  IndexedRecords,
  type RecordAmount,
} from "./indexed-records.js";

export interface IndexRequest {
  readonly root: string;
  readonly path: string;
  readonly content: FileContent;
  /** The reading stops behind the chunk in which one of these is reached. */
  readonly most: RecordAmount;
  /** What is known already. Without it the file is read from its beginning. */
  readonly known: IndexEnd | undefined;
}

/** Finds the records of a file of JSON Lines: their offsets, and the keys that the merge needs. A reading task. */
export function* indexRecords({
  root,
  path,
  content,
  most,
  known,
}: IndexRequest): Generator<void, IndexAnswer | undefined> {
  const opened = openContained(root, path);
  if (opened === undefined) return undefined;
  const { descriptor } = opened;
  try {
    return yield* readGrowth(opened, known, function* (from, state) {
      const start = from ?? BEGINNING;
      const range = { from: start.offset, to: state.identity.size, line: start.line };
      const records = new IndexedRecords(range, content, start);
      const end = yield* readLines(
        descriptor,
        range,
        (line) => records.add(line),
        () => records.weight >= most.records || records.taken.bytes >= most.bytes,
      );
      return records.answer(state, from !== undefined, end);
    });
  } finally {
    closeSync(descriptor);
  }
}

export const INDEX_RECORDS = { module: import.meta.url, name: "indexRecords", steps: indexRecords };

const BEGINNING = { offset: 0, line: 1, taken: { records: 0, bytes: 0 }, traceIds: [] };
