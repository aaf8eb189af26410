import { expect, it } from "vitest";
import { CUT_OFF } from "../../../../src/domain/json/json.js";
import { cutStrings, eventIn, indentedJson, parseExactly, readableJson } from "./record-json.js";

it("a JSON text is put on lines where that changes nothing", () => {
  expect(readableJson('{"a":[1,"x"]}')).toBe('{\n  "a": [\n    1,\n    "x"\n  ]\n}');
});

it("a JSON text that JavaScript would change stays as it is", () => {
  for (const text of ['{"id":12345678901234567890}', '{"a":1.0}', '{"a":1,"a":2}', '{"2":0,"1":0}']) {
    expect(readableJson(text)).toBe(text);
  }
});

it("a record that is nested deep is cut off where it is shown, and whole where it is copied", () => {
  const deep = `${"[".repeat(10_000)}12345678901234567890${"]".repeat(10_000)}`;
  const record = `{"event":{"type":"x","deep":${deep}}}`;
  expect(cutStrings(parseExactly(record))).toMatchObject({ value: { event: { type: "x" } } });
  expect(JSON.stringify(cutStrings(parseExactly(record)).value)).toContain(CUT_OFF);
  expect(cutStrings(JSON.parse(record)).cut).toBe(true);
  expect(JSON.stringify(eventIn(record))).toContain(CUT_OFF);
  expect([readableJson(record), indentedJson(record)]).toEqual([record, record]);
});
