/**
 * Some records as one piece of JSON text: the inside of an array, UTF-8, so `{"a":1},{"b":2}`. Between two records lie a
 * comma and perhaps white space; none at either end. What a batch holds stays as it is: whoever has one may keep it, not change it.
 */
export interface RecordBatch {
  readonly size: number;
  readonly text: Uint8Array;
  /** Start and end of record `i` of the batch in `text`. */
  start(i: number): number;
  end(i: number): number;
}

const encoder = new TextEncoder();

/** JSON texts as one batch. */
export function batchOfTexts(texts: readonly string[]): RecordBatch {
  const joined = texts.join(",");
  const text = encoder.encode(joined);
  // Of ASCII alone, a character is a byte: no text need be gone through.
  const isAscii = text.length === joined.length;
  const ends = new Float64Array(texts.length);
  let at = 0;
  for (const [i, record] of texts.entries()) {
    at += isAscii ? record.length : utf8Length(record);
    ends[i] = at;
    at += 1;
  }
  return batchOf(text, ends);
}

/** Creates a batch of consecutive records with only a comma between two of them. */
export function batchOf(text: Uint8Array, ends: Float64Array): RecordBatch {
  return {
    size: ends.length,
    text,
    start: (i) => (i === 0 ? 0 : ends[i - 1]! + 1),
    end: (i) => ends[i]!,
  };
}

/** A batch as plain data, which can be sent to a thread. */
export interface PlainBatch {
  readonly text: Uint8Array;
  /** Start and end of each record in `text`. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** A copy, which may be moved to a thread: others may have the batch, too. */
export function plainBatch(batch: RecordBatch): PlainBatch {
  const starts = new Float64Array(batch.size);
  const ends = new Float64Array(batch.size);
  for (let i = 0; i < batch.size; i++) {
    starts[i] = batch.start(i);
    ends[i] = batch.end(i);
  }
  // `slice` of a Node.js buffer would be a view of it.
  return { text: new Uint8Array(batch.text), starts, ends };
}

/** Returns the size of a text in UTF-8 bytes; half of a surrogate pair becomes U+FFFD, as in every encoder. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    length += code < 0x800 ? 1 : 2;
    if (code < 0xd800 || code > 0xdbff || i + 1 === text.length) continue;
    const next = text.charCodeAt(i + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    i++;
  }
  return length;
}
