import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/soak.js";
import { StoredSequences } from "./stored-sequences.js";

/** Every way to write the name and texts near it. */
const names = fc.constantFrom('"sequence"', '"s\\u0065quence"', '"seq\\u0075ence"', '"sequenc"', '"text"');
const values = fc.constantFrom("7", "-1", '"sequence"', '"\\u001b[0m"', '"\\u0065"', '{"sequence":3}', "[1]");
const members = fc.tuple(names, values).map(([name, value]) => `${name}:${value}`);
const records = fc.oneof(
  fc.array(members, { maxLength: 4 }).map((all) => `{${all.join(",")}}`),
  fc.constantFrom("null", "[]", '"sequence"', "{ }"),
);

function renumbered(texts: readonly string[]): unknown[] {
  const bytes = Buffer.from(texts.join(","));
  const stored = new StoredSequences(bytes);
  let at = 0;
  return texts.map((text) => {
    const [start, end] = [at, at + Buffer.byteLength(text)];
    at = end + 1;
    let place = stored.plain(start, end);
    for (const steps = stored.any(start, end); place === undefined; ) {
      const step = steps.next();
      if (step.done === true) {
        if (step.value === undefined) return JSON.parse(text);
        place = step.value;
      }
    }
    const { from, to, before, behind } = place;
    const number = `${before}99${behind}`;
    return JSON.parse(`${bytes.subarray(start, from)}${number}${bytes.subarray(to, end)}`);
  });
}

describe("StoredSequences", () => {
  it("finds the member that a parser would take, in any record of any batch", () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 6 }), (texts) => {
        const expected = texts.map((text) => {
          const record = JSON.parse(text);
          return text.startsWith("{") ? { ...record, sequence: 99 } : record;
        });
        expect(renumbered(texts)).toEqual(expected);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it.each([
    ['{"id":"a","sequence":12,"event":{}}', true],
    ['{"id":"a","sequence":12,"text":"\\u001b[31m"}', true],
    ['{"id":"a","sequence":12,"text":"\\u0065"}', false],
    ['{"id":"a","sequence":12,"stop_sequence":null}', true],
    ['{"id":"a","sequence":12,"event":{"sequence":1}}', false],
    ['{"event":{},"sequence":12}', false],
    ['{"id":"\\\\","sequence":12}', false],
    ['{"sequence":12.5}', false],
    ['{"id":1}', false],
  ])("needs no lexer for %s: %s", (text, isPlain) => {
    const bytes = Buffer.from(text);
    expect(new StoredSequences(bytes).plain(0, bytes.length) !== undefined).toBe(isPlain);
  });
});
