import type { JsonList } from "../../application/questions/json-list.js";
import type { SourceWait } from "./source-wait.js";
import { Batches, type OnBreak, streamedBody } from "./streamed-body.js";

const encoder = new TextEncoder();
/** Replaces bytes that are not UTF-8 with U+FFFD. Such bytes never include the ASCII around them, so the text is still JSON. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const COMMA = encoder.encode(",");

/**
 * The body `{"<name>":[…]}`: in one piece if it has one batch, else a stream. A failure before the first byte is thrown; a later one
 * aborts the stream, so that no client mistakes a partial list for a complete one.
 */
export async function jsonListBody(
  name: string,
  list: JsonList,
  wait: SourceWait,
  onBreak: OnBreak,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const texts = new Batches(list.texts, wait.signal);
  const opening = encoder.encode(`{"${name}":[`);
  const closing = encoder.encode(closingOf(list));
  const first = await texts.next();
  if (first === undefined) return join(opening, closing);
  const complete = join(opening, inUtf8(first), closing);
  const second = await texts.next();
  if (second === undefined) return complete;

  return streamedBody({
    first: [complete.subarray(0, -closing.length), join(COMMA, inUtf8(second))],
    rest: texts,
    write: (next) => join(COMMA, inUtf8(next)),
    last: closing,
    wait,
    onBreak,
  });
}

const fatalDecoder = new TextDecoder("utf-8", { fatal: true });

/** Only Node's own test runs at the speed of memory, and not every runtime has it. */
const isUtf8: (bytes: Uint8Array) => boolean =
  globalThis.process?.getBuiltinModule?.("node:buffer").isUtf8 ??
  ((bytes) => {
    try {
      fatalDecoder.decode(bytes);
      return true;
    } catch {
      return false;
    }
  });

/** Files may contain any bytes, and a client rejects an entire body that is not UTF-8. */
function inUtf8(text: Uint8Array): Uint8Array {
  return isUtf8(text) ? text : encoder.encode(decoder.decode(text));
}

function closingOf({ nextCursor, growth, outline, counts, warnings }: JsonList): string {
  const cursor = nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  const grown = growth === undefined ? "" : `,${JSON.stringify(growth).slice(1, -1)}`;
  const outlined = outline === undefined ? "" : `,"outline":${JSON.stringify(outline)}`;
  const counted = Object.entries(counts ?? {}).map(([name, count]) =>
    count === undefined ? "" : `,"${name}":${count}`,
  );
  const reported = warnings.length === 0 ? "" : `,"warnings":${JSON.stringify(warnings)}`;
  return `]${cursor}${grown}${outlined}${counted.join("")}${reported}}`;
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const complete = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    complete.set(part, at);
    at += part.length;
  }
  return complete;
}
