import { breathe } from "../../application/slices.js";
import type {
  ReadOptions,
  RecordBatch,
  RecordSelection,
  RecordStream,
} from "../../application/ports/record-stream.js";
import { RecordScanner } from "../../domain/json-text/record-scanner.js";
import type { ContainedFiles } from "../jsonl/contained-files.js";
import type { FileIdentity } from "../jsonl/file-identity.js";
import { readRecords } from "../jsonl/read-records.js";
import type { RecordPlaces } from "../jsonl/record-index.js";

/** How much of a long record is looked through between two turns of the event loop. */
const PIECE = 256 * 1024;

const COMMA = Uint8Array.of(0x2c);

/** The member `message` of records, byte for byte. */
export function messageStream(
  files: ContainedFiles,
  path: string,
  identity: FileIdentity,
  places: RecordPlaces,
): Omit<RecordStream, "warnings"> {
  return {
    size: places.size,
    async *read(selection: RecordSelection, options?: ReadOptions): AsyncGenerator<RecordBatch, void> {
      for await (const batch of readRecords(files, path, identity, places, selection, options))
        yield await messagesOf(batch);
    },
  };
}

async function messagesOf(batch: RecordBatch): Promise<RecordBatch> {
  const scanner = new RecordScanner(["message"]);
  const parts: Uint8Array[] = [];
  const ends: number[] = [];
  let length = 0;
  for (let i = 0; i < batch.size; i++) {
    const record = batch.text.subarray(batch.start(i), batch.end(i));
    scanner.reset();
    for (let at = 0; at < record.length; at += PIECE) {
      if (at > 0) await breathe();
      scanner.push(record, at, Math.min(record.length, at + PIECE));
    }
    const message = record.subarray(scanner.start(0), scanner.end(0));
    if (i > 0) parts.push(COMMA);
    parts.push(message);
    length += message.length + (i > 0 ? 1 : 0);
    ends.push(length);
  }
  return {
    size: batch.size,
    text: Buffer.concat(parts),
    start: (i) => (i === 0 ? 0 : ends[i - 1]! + 1),
    end: (i) => ends[i]!,
  };
}
