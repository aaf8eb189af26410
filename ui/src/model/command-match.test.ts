import { expect, it } from "vitest";
import { STRINGS } from "../strings/strings.js";
import { isCommandMeant } from "./command-match.js";

const { commands } = STRINGS;

it("finds commands by their names, and by the words that people have for them", () => {
  for (const typed of ["theme", "dark", "Light mode", "switch dark"]) {
    expect(isCommandMeant(commands.theme, commands.keywords.theme, typed)).toBe(true);
  }
  for (const typed of ["utc", "time zone", "timezone", "local"]) {
    expect(isCommandMeant(commands.zone, commands.keywords.zone, typed)).toBe(true);
  }
  expect(isCommandMeant(commands.keys, commands.keywords.keys, "shortcut")).toBe(true);
});

it("finds no command by a word that is only a part of it", () => {
  expect(isCommandMeant(commands.theme, commands.keywords.theme, "dark summary")).toBe(false);
  expect(isCommandMeant("Summary", "cost", "os")).toBe(false);
});
