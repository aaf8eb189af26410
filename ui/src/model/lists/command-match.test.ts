import { expect, it } from "vitest";
import { STRINGS } from "../../strings/strings.js";
import { isCommandMatch } from "./command-match.js";

const { commands } = STRINGS;

it("finds commands by their names, and by the words that people have for them", () => {
  for (const typed of ["theme", "dark", "Light mode", "switch dark"]) {
    expect(isCommandMatch(commands.theme, commands.keywords.theme, typed)).toBe(true);
  }
  for (const typed of ["utc", "time zone", "timezone", "local"]) {
    expect(isCommandMatch(commands.zone, commands.keywords.zone, typed)).toBe(true);
  }
  expect(isCommandMatch(commands.keys, commands.keywords.keys, "shortcut")).toBe(true);
});

it("finds no command by a word that is only a part of it", () => {
  expect(isCommandMatch(commands.theme, commands.keywords.theme, "dark summary")).toBe(false);
  expect(isCommandMatch("Summary", "cost", "os")).toBe(false);
});
