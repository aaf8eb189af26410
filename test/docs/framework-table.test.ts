import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SOAK } from "../support/applications.js";
import { PROJECT_ROOT } from "../support/build.js";
import { COLUMNS, EVERY_RUN } from "../support/frameworks.js";

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), "utf8");

const FILES = {
  E: ["test/docs/embedding.integration.test.ts", "ui/test/embedding.test.ts"],
  S: ["ui/test/embedding.soak.test.ts"],
} as const;

function tableOf(document: string, section: string): readonly (readonly string[])[] {
  const [, text = ""] = document.split(`## ${section}\n`);
  const lines = /(?:^\|.*\n)+/m.exec(text)?.[0].trim().split("\n") ?? [];
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("the table of frameworks in docs/embedding.md", () => {
  const [header, , ...rows] = tableOf(read("docs/embedding.md"), "Frameworks");

  it("has the columns that are tested", () => {
    expect(header).toEqual(["", ...COLUMNS]);
  });

  it("has a row for each framework that is tested, with the run that tests it in each cell", () => {
    const rowOf = (letter: string) => (name: string) => [name, ...COLUMNS.map(() => letter)];
    expect(rows).toEqual([...Object.keys(EVERY_RUN).map(rowOf("E")), ...Object.keys(SOAK).map(rowOf("S"))]);
  });

  it.each(COLUMNS)("has tests of the column %s in both runs", (column) => {
    for (const files of Object.values(FILES)) {
      const calls =
        files
          .map(read)
          .join("")
          .match(/cellTests\([^"]+"[^"]+"/g) ?? [];
      expect(calls.filter((call) => call.endsWith(`"${column}"`))).toHaveLength(1);
    }
  });
});
