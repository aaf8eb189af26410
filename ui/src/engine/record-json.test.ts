import { expect, it } from "vitest";
import { readableJson } from "./record-json.js";

it("a JSON text is put on lines where that changes nothing", () => {
  expect(readableJson('{"a":[1,"x"]}')).toBe('{\n  "a": [\n    1,\n    "x"\n  ]\n}');
});

it("a JSON text that JavaScript would change stays as it is", () => {
  for (const text of ['{"id":12345678901234567890}', '{"a":1.0}', '{"a":1,"a":2}', '{"2":0,"1":0}']) {
    expect(readableJson(text)).toBe(text);
  }
});
