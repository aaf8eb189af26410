import { SourceChangedError } from "../../application/errors.js";
import { JsonLexer } from "../../domain/json/json-lexer.js";
import type { FileState } from "../files/bytes/file-growth.js";
import type { SessionFile } from "./derived-file.js";
import { readPlaces } from "./read-places.js";
import { BatchBuilder, type TextBatch } from "./text-batch.js";

/** About how many bytes of lines go into one batch of messages. */
const BATCH_BYTES = 256 * 1024;

/**
 * Messages of a conversation, byte for byte, at some positions: as many as go into one batch.
 *
 * @param since the file as its messages were counted
 * @param member of a record that holds its message; a record without it is one itself
 * @throws SourceChangedError where the file has not only grown since
 */
export function* readMessages(
  root: string,
  file: SessionFile,
  since: FileState,
  member: string,
  positions: Uint32Array,
): Generator<void, TextBatch> {
  const { messageStarts, messageLengths } = file.derived;
  const places: { readonly start: number; readonly length: number; readonly at: number }[] = [];
  let bytes = 0;
  for (const [at, position] of positions.entries()) {
    if (position >= messageStarts.length) throw changed();
    const length = messageLengths[position]!;
    if (places.length > 0 && bytes + length > BATCH_BYTES) break;
    places.push({ start: messageStarts[position]!, length, at });
    bytes += length;
  }
  const lexer = new JsonLexer([member]);
  const messages = new BatchBuilder(places.length);
  const inOrder = [...places].sort((a, b) => a.start - b.start);
  yield* readPlaces(
    root,
    file,
    inOrder,
    (record, i) => {
      if (lexer.read(record, 0, record.length) !== "object") throw changed();
      const isWhole = lexer.start(0) < 0;
      const message = isWhole ? record : record.subarray(lexer.start(0), lexer.end(0));
      messages.addBytes(inOrder[i]!.at, message);
      return true;
    },
    since,
  );
  return messages.batch();
}

function changed(): SourceChangedError {
  return new SourceChangedError("The session changed while it was being read.");
}
