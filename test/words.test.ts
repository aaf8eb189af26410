import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { countAll, countFile, KINDS } from "../scripts/check-words.mjs";
import { PROJECT_ROOT } from "./support/build.js";

type Counts = Readonly<Record<string, number>>;

describe("The words of the project", () => {
  it("follow the glossary in every folder at least as well as before", () => {
    const ratchet = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "scripts/words.json"), "utf8")) as Record<
      string,
      Counts
    >;
    const worse = Object.entries(countAll().rows as Record<string, Counts>).flatMap(([folder, counts]) =>
      KINDS.filter((kind) => counts[kind]! > (ratchet[folder]?.[kind] ?? 0)).map(
        (kind) => `${folder}: ${kind} ${counts[kind]}, at most ${ratchet[folder]?.[kind] ?? 0}`,
      ),
    );
    expect(worse, "node scripts/check-words.mjs --worst 20 FOLDER prints them").toEqual([]);
  });

  it.each([
    ["names", "const knownCall = 1;"],
    ["comments", "// The value that was kept."],
    ["phrases", "// There is none: it is none."],
    ["questions", "/** Whether it is open. */"],
    ["messages", 'throw new Error("it was not told to anybody");'],
    ["sentences", `// ${"word ".repeat(41)}.`],
  ])("count: %s", (kind, text) => {
    expect(countFile("a.ts", text).violations.map((one) => one.kind)).toContain(kind);
    expect(countFile("a.ts", "// Returns the cached call.\nconst cachedCall = 1;").violations).toEqual([]);
  });
});
