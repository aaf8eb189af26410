import { isUtf8 } from "node:buffer";
import type { JsonList } from "../../application/json-list.js";

const encoder = new TextEncoder();
/** Puts U+FFFD in the place of bytes that are no UTF-8. These never include the ASCII around them, so the text stays JSON. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const COMMA = encoder.encode(",");

/** Called with a failure after the first byte, when it is too late for a problem document. */
export type OnBreak = (error: unknown) => void;

/**
 * The body of a list, `{"<name>":[…]}`. A list that ends with its first batch is sent in one piece; a longer one is a
 * stream that asks for the next batch when the last one was taken. A failure that shows before the first byte is thrown; a
 * later one breaks the stream off, so that no client takes what came for the whole.
 */
export async function jsonListBody(
  name: string,
  list: JsonList,
  abort: AbortController,
  onBreak: OnBreak,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const texts = list.texts[Symbol.asyncIterator]();
  const opening = encoder.encode(`{"${name}":[`);
  const closing = encoder.encode(closingOf(list));
  const first = await texts.next();
  if (first.done) return join(opening, closing);
  // A batch's text is valid only until the next batch is requested, so it is copied first.
  const beginning = join(opening, inUtf8(first.value));
  const second = await texts.next();
  if (second.done) return join(beginning, closing);

  const pieces: Uint8Array[] = [beginning, join(COMMA, inUtf8(second.value))];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const ready = pieces.shift();
        if (ready !== undefined) return controller.enqueue(ready);
        try {
          const next = await texts.next();
          if (!next.done) return controller.enqueue(join(COMMA, inUtf8(next.value)));
          controller.enqueue(closing);
          controller.close();
        } catch (error) {
          onBreak(error);
          controller.error(error);
        }
      },
      async cancel(reason) {
        abort.abort(reason);
        await texts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A source gives records byte for byte, and files may hold anything: a client that is told UTF-8 refuses the whole of a body that is none. */
function inUtf8(text: Uint8Array): Uint8Array {
  return isUtf8(text) ? text : encoder.encode(decoder.decode(text));
}

function closingOf({ nextCursor, warnings }: JsonList): string {
  const cursor = nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  const reported = warnings.length === 0 ? "" : `,"warnings":${JSON.stringify(warnings)}`;
  return `]${cursor}${reported}}`;
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
