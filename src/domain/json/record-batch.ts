/**
 * Records as the inside of a JSON array, in UTF-8: `{"a":1},{"b":2}`. A comma and optional white space separate two records; receivers
 * must not change the bytes.
 */
export interface RecordBatch {
  readonly size: number;
  readonly text: Uint8Array;
  start(i: number): number;
  end(i: number): number;
}

const encoder = new TextEncoder();

export function batchOfTexts(texts: readonly string[]): RecordBatch {
  const joined = texts.join(",");
  const text = encoder.encode(joined);
  // In ASCII, each character is one byte.
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

/** The separator is exactly one comma. */
export function batchOf(text: Uint8Array, ends: Float64Array): RecordBatch {
  return {
    size: ends.length,
    text,
    start: (i) => (i === 0 ? 0 : ends[i - 1]! + 1),
    end: (i) => ends[i]!,
  };
}

/** A batch that can be sent to a thread. */
export interface PlainBatch {
  readonly text: Uint8Array;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Copies, because others may use the batch while a thread owns the copy. */
export function plainBatch(batch: RecordBatch): PlainBatch {
  const starts = new Float64Array(batch.size);
  const ends = new Float64Array(batch.size);
  for (let i = 0; i < batch.size; i++) {
    starts[i] = batch.start(i);
    ends[i] = batch.end(i);
  }
  // `slice` of a Node.js buffer is a view.
  return { text: new Uint8Array(batch.text), starts, ends };
}

/** Half of a surrogate pair counts as U+FFFD, as in every encoder. */
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
