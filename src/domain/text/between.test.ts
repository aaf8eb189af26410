import { describe, expect, it } from "vitest";
import { textBetween } from "./between.js";

describe("The text between two marks", () => {
  it.each([
    ["a <x> b\nc </x> d </x>", " b\nc "],
    ["<x></x>", ""],
    ["<x> <x> b </x>", " <x> b "],
    ["</x> <x> b", undefined],
    ["b </x>", undefined],
    [`<x>${" ".repeat(1_000_000)}`, undefined],
    ["<x>".repeat(1_000_000), undefined],
  ])("is what lies there", (text, expected) => {
    expect(textBetween(text, "<x>", "</x>")).toBe(expected);
  });
});
