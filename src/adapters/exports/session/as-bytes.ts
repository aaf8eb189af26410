import type { ReadOptions } from "../../../application/ports/record-stream.js";
import { yieldToEventLoop } from "../../../application/threads/slices.js";

const PIECE_CHARACTERS = 64 * 1024;
const SLICE_MS = 4;

/** Pieces of about 64 KiB. The event loop runs between slices. */
export async function* asBytes(
  texts: Iterable<string> | AsyncIterable<string>,
  { signal }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let piece = "";
  let begun = performance.now();
  for await (const text of texts) {
    piece += text;
    if (piece.length >= PIECE_CHARACTERS) {
      yield encoder.encode(piece);
      piece = "";
    }
    if (performance.now() - begun < SLICE_MS) continue;
    await yieldToEventLoop();
    signal?.throwIfAborted();
    begun = performance.now();
  }
  if (piece !== "") yield encoder.encode(piece);
}
