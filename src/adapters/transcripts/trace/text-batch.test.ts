import { describe, expect, it } from "vitest";
import { BatchBuilder, textBatch } from "./text-batch.js";

const decoder = new TextDecoder();
const TEXTS = [
  '{"a":1}',
  '{"b":"žluťoučký 🐎"}',
  '{"half":"\ud83d"}',
  `{"long":"${"x".repeat(3_000_000)}"}`,
  "{}",
];
const IN_UTF8 = TEXTS.map((text) => Buffer.from(text));

/** The records of a batch, each by where it ends. */
function recordsOf({ text, ends }: { readonly text: Uint8Array; readonly ends: Float64Array }): string[] {
  return [...ends].map((end, i) => decoder.decode(text.subarray(i === 0 ? 0 : ends[i - 1]! + 1, end)));
}

function built(order: readonly number[], add: (builder: BatchBuilder, place: number) => void) {
  const builder = new BatchBuilder(order.length);
  for (const place of order) add(builder, place);
  return builder.batch();
}

describe("A batch of texts", () => {
  const expected = TEXTS.map((text) => decoder.decode(Buffer.from(text)));

  it.each([[[0, 1, 2, 3, 4]], [[4, 3, 2, 1, 0]], [[2, 0, 4, 1, 3]]])(
    "holds them in order, added as %j",
    (order) => {
      for (const batch of [
        built(order, (builder, place) => builder.addText(place, TEXTS[place]!)),
        built(order, (builder, place) => builder.addBytes(place, IN_UTF8[place]!)),
      ]) {
        expect(recordsOf(batch)).toEqual(expected);
        expect(JSON.parse(`[${decoder.decode(batch.text)}]`)).toHaveLength(TEXTS.length);
        expect(batch.text.byteLength).toBe(batch.text.buffer.byteLength);
      }
    },
  );

  it("may be empty", () => {
    expect(recordsOf(textBatch([]))).toEqual([]);
    expect(textBatch([]).text).toHaveLength(0);
  });

  it("shares no memory with one that is built at the same time, or later", () => {
    const [first, second] = [new BatchBuilder(1), new BatchBuilder(1)];
    first.addText(0, '"first"');
    second.addText(0, '"second"');
    const batches = [first.batch(), second.batch(), textBatch(['"third"'])];
    expect(batches.flatMap(recordsOf)).toEqual(['"first"', '"second"', '"third"']);
  });
});
