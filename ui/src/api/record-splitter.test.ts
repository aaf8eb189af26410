import { describe, expect, it } from "vitest";
import { RecordSplitter } from "./record-splitter.js";

const answer = {
  before: ["envelopes", [1]],
  envelopes: [{ a: '}],{"\\ü"' }, [1, [2]], "x,]", 42, null, { deep: { envelopes: [{}] } }],
  nextCursor: null,
  warnings: [{ file: "f", line: 1, reason: "r" }],
};

function split(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  const records: unknown[] = [];
  const splitter = new RecordSplitter("envelopes", (record) => records.push(JSON.parse(record)));
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.slice(at, at + size));
  return { records, rest: splitter.finish() };
}

describe("an answer that comes in pieces", () => {
  it("gives its records and its other members, wherever it is cut", () => {
    for (const text of [JSON.stringify(answer), JSON.stringify(answer, null, 2)]) {
      for (const size of [1, 2, 3, 7, 10_000]) {
        expect(split(text, size)).toEqual({ records: answer.envelopes, rest: { ...answer, envelopes: [] } });
      }
    }
  });

  it("may be empty, or lack the list", () => {
    expect(split('{"envelopes":[]}', 4)).toEqual({ records: [], rest: { envelopes: [] } });
    expect(split('{"title":"no"}', 4)).toEqual({ records: [], rest: { title: "no" } });
  });

  it("throws where it broke off", () => {
    expect(() => split('{"envelopes":[{"a":1},{"b"', 5)).toThrow(SyntaxError);
  });
});
