import { expect, it } from "vitest";
import { newLines } from "./new-lines.js";

const read = { version: 3, lines: 40, complete: true };

it("counts the lines that a history added", () => {
  expect(newLines(read, { version: 4, lines: 52, complete: true })).toBe(12);
  expect(newLines(read, { version: 4, lines: 39, complete: true })).toBe(0);
});

it("counts nothing while a history is first read", () => {
  expect(newLines(undefined, read)).toBe(0);
  expect(newLines({ version: 2, lines: 10, complete: false }, read)).toBe(0);
});

it("counts no lines that somebody unfolded", () => {
  expect(newLines(read, { version: 3, lines: 52, complete: true })).toBe(0);
});
