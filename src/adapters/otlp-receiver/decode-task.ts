import type { ReadingTask } from "../../application/ports/reading-pool.js";
import { readJson } from "./json-spans.js";
import { readProtobuf } from "./protobuf-spans.js";
import { type RefusalStatus, RefusedRequest } from "./refused-request.js";
import { type DecodedSpans, SpanLines } from "./span-lines.js";

export interface EncodedSpans {
  readonly bytes: Uint8Array;
  readonly encoding: "json" | "protobuf";
  /** How many bytes the lines may take. */
  readonly maxBytes: number;
}

/** Errors lose their class on the way out of a thread, so that one is a value. */
export type Decoded = DecodedSpans | { readonly status: RefusalStatus; readonly problem: string };

/** Decodes a request. What is yielded between are spans. */
export function* decode({ bytes, encoding, maxBytes }: EncodedSpans): Generator<void, Decoded> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = new SpanLines(maxBytes, 2 * body.length);
  try {
    yield* encoding === "json" ? readJson(body, lines) : readProtobuf(body, lines);
    return lines.end();
  } catch (error) {
    if (error instanceof RefusedRequest) return { status: error.status, problem: error.message };
    throw error;
  }
}

export const DECODE: ReadingTask<EncodedSpans, Decoded> = {
  module: import.meta.url,
  name: "decode",
  steps: decode,
};
