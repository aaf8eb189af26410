import { RecordScanner } from "../domain/json-text/record-scanner.js";
import { breathe } from "./breathe.js";
import type { RecordBatch } from "./ports/record-stream.js";

const encoder = new TextEncoder();

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** How much of a long record is looked through between two turns of the event loop. */
const PIECE = 256 * 1024;

/**
 * The text of a batch of envelopes whose `sequence` goes on from `first`. Every other byte stays as it is stored; a record
 * that is no object is passed through.
 */
export async function renumber(batch: RecordBatch, first: number): Promise<Uint8Array> {
  const scanner = new RecordScanner(["sequence"]);
  const parts: Uint8Array[] = [];
  for (let i = 0; i < batch.size; i++) {
    if (i > 0) parts.push(Uint8Array.of(COMMA));
    const record = batch.text.subarray(batch.start(i), batch.end(i));
    scanner.reset();
    for (let at = 0; at < record.length; at += PIECE) {
      if (at > 0) await breathe();
      scanner.push(record, at, Math.min(record.length, at + PIECE));
    }
    parts.push(...withSequence(record, scanner, String(first + i)));
  }
  return Buffer.concat(parts);
}

function withSequence(record: Uint8Array, scanner: RecordScanner, sequence: string): Uint8Array[] {
  if (scanner.finish() !== "object") return [record];
  const start = scanner.start(0);
  if (start >= 0) {
    return [record.subarray(0, start), encoder.encode(sequence), record.subarray(scanner.end(0))];
  }
  const inside = record.indexOf(OPEN_BRACE) + 1;
  const isEmpty = record.subarray(inside).every((byte) => byte === CLOSE_BRACE || byte <= 0x20);
  const member = encoder.encode(`"sequence":${sequence}${isEmpty ? "" : ","}`);
  return [record.subarray(0, inside), member, record.subarray(inside)];
}
