import { describe, expect, it } from "vitest";
import { eachLine } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { elementsWithin } from "./nested-elements.js";

/** Returns the content at the locations of the elements in a line that begins at byte 1,000 of its file. */
function elements(text: string, names: readonly string[] = ["a"]) {
  const bytes = Buffer.from(text);
  const elements: unknown[] = [];
  eachLine({ from: 1_000, bytes }, (line) => {
    for (const element of elementsWithin(line, names)) {
      const { start, length, number } = element;
      expect(number).toBe(1);
      const stored = bytes.subarray(start - 1_000, start - 1_000 + length).toString();
      expect(parseLine(element).record ?? parseLine(element).problem).toBeDefined();
      elements.push(JSON.parse(stored));
    }
  });
  return elements;
}

describe("Elements inside of a record", () => {
  it.each([
    ['{"a":[{"x":1},{"y":"é]}"}]}', [{ x: 1 }, { y: "é]}" }]],
    [' {"b":1, "a" : [ {"x":[[]]} , 5 , "z" ] , "c":[1]}', [{ x: [[]] }, 5, "z"]],
    ['{"a":[]}', []],
    ['{"a":{"a":[1]}}', []],
    ['{"b":[1]}', []],
    ["[1]", []],
    ["no json", []],
  ])("of %s are found, with their places", (text, expected) => {
    expect(elements(text)).toEqual(expected);
  });

  it("are found below several members", () => {
    expect(elements('{"a":{"b":[{"x":1}],"a":[{"y":1}]}}', ["a", "b"])).toEqual([{ x: 1 }]);
    expect(elements('{"a":[{"b":[1]}]}', ["a", "b"])).toEqual([]);
  });
});
