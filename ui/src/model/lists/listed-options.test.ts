import { expect, it } from "vitest";
import { groupedOptions, matchingOptions, optionBeginningWith } from "./listed-options.js";

const options = [
  { value: "bash", label: "Bash (12)" },
  { value: "read", label: "Read (3)" },
  { value: "mcp__shop__read_cart" },
  { value: "web", label: "Web search" },
];

it("finds options by words of their label or value, in any case and order", () => {
  const values = (text: string) => matchingOptions(options, text).map(({ value }) => value);
  expect(values("READ")).toEqual(["read", "mcp__shop__read_cart"]);
  expect(values("cart mcp")).toEqual(["mcp__shop__read_cart"]);
  expect(values("  ")).toHaveLength(4);
  expect(values("bash read")).toEqual([]);
});

it("goes to the option that begins with what was typed, and on to the next by the same letter", () => {
  const animals = ["ant", "bee", "bat", "cow"].map((value) => ({ value }));
  expect(optionBeginningWith(animals, "b", 0)).toBe(1);
  expect(optionBeginningWith(animals, "bb", 1)).toBe(2);
  expect(optionBeginningWith(animals, "bbb", 2)).toBe(1);
  expect(optionBeginningWith(animals, "ba", 1)).toBe(2);
  expect(optionBeginningWith(animals, "x", 1)).toBeUndefined();
});

it("keeps options of a group together, with the place of the first", () => {
  const grouped = groupedOptions([
    { value: "all" },
    { value: "a", group: "Main" },
    { value: "b", group: "Main" },
    { value: "c", group: "Sub-agents" },
  ]);
  expect(grouped.map(({ name, first, options: of }) => [name, first, of.length])).toEqual([
    ["", 0, 1],
    ["Main", 1, 2],
    ["Sub-agents", 3, 1],
  ]);
});
