import { constants, setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";
import { ownModule, type ReadingTask } from "../../application/ports/reading-pool.js";
import type { TenantScope } from "../../application/sources/scope.js";
import { readJson } from "./json-spans.js";
import { readProtobuf } from "./protobuf-spans.js";
import { type RefusalStatus, RefusedRequest } from "./refused-request.js";
import { type DecodedSpans, SpanLines } from "./span-lines.js";

export interface EncodedSpans {
  readonly bytes: Uint8Array;
  readonly encoding: "json" | "protobuf";
  readonly tenants: TenantScope;
  readonly maxBytes: number;
  readonly isOwnThread: boolean;
}

/** A value, because errors lose their class on the way out of a thread. */
export type Decoded = DecodedSpans | { readonly status: RefusalStatus; readonly problem: string };

export function* decode(spans: EncodedSpans): Generator<void, Decoded> {
  const { bytes, encoding, tenants, maxBytes, isOwnThread } = spans;
  if (isOwnThread) yieldToHost();
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = new SpanLines(maxBytes, 2 * body.length, tenants);
  try {
    yield* encoding === "json" ? readJson(body, lines) : readProtobuf(body, lines);
    return lines.end();
  } catch (error) {
    if (error instanceof RefusedRequest) return { status: error.status, problem: error.message };
    throw error;
  }
}

let hasYielded = false;

/** If there is more work than processors, the host's event loop takes precedence. On Linux each thread has its own priority. */
function yieldToHost(): void {
  if (hasYielded || isMainThread || process.platform !== "linux") return;
  hasYielded = true;
  setPriority(constants.priority.PRIORITY_LOW);
}

export const DECODE: ReadingTask<EncodedSpans, Decoded> = {
  module: ownModule(import.meta.url, "decode-task"),
  name: "decode",
  steps: decode,
};
