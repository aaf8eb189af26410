import { expect, it } from "vitest";
import { joinedLines } from "./joined-lines.js";

it.each([
  ["ab\ncd", "abcd"],
  ["x ab\r\n  > cd y", "abcd"],
  ["ab │\n│ cd", "abcd"],
  ["ab ││\n# cd", "abcd"],
  [`ab${" ".repeat(200)}\n${"#".repeat(200)}cd`, "abcd"],
  [`ab${"|".repeat(201)}\ncd`, "ab|cd"],
])("the words around the line break of %j are one", (text, joined) => {
  expect(joinedLines(text)?.text.trim()).toBe(joined);
});

it.each([
  "ab\n\ncd",
  "\ncd",
  "ab\n",
  "ab\r\r\ncd",
  "ab\n\u00a0cd",
  `ab${" ".repeat(201)}\ncd`,
  `ab\n${" ".repeat(201)}cd`,
])("no word goes across the line break of %j", (text) => {
  expect(joinedLines(text)).toBeUndefined();
});
