import { describe, expect, it } from "vitest";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import type { Cost } from "../../domain/usage/money.js";
import { sessionTable } from "./session-table.js";

const at = new Date(2026, 0, 15, 9, 5);

const SESSION: InspectorSessionItem = {
  tenantId: "acme",
  sessionId: "s1",
  userId: "ada",
  lastActive: at.toISOString(),
  turns: 3,
  tokens: 12_345,
  status: "idle",
  title: "Weekly report",
};

const costing = (usd: number, unpricedCalls = 0): InspectorSessionItem => ({
  ...SESSION,
  cost: { usd, recordedUsd: 0, unpricedCalls, unpricedTokens: 0 } satisfies Cost,
});

const cells = (sessions: readonly InspectorSessionItem[], width?: number) =>
  sessionTable(sessions, width)
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

describe("the table of sessions", () => {
  it("has a line for each, in columns, with the reader's time", () => {
    expect(
      sessionTable([
        { ...SESSION, errors: 1 },
        { ...costing(1.5), sessionId: "s22", turns: 1_000 },
      ]),
    ).toBe(
      [
        "LAST ACTIVE       TURNS  TOKENS  ERRORS   COST  SESSION   TITLE",
        "2026-01-15 09:05      3  12,345       1      -  acme/s1   Weekly report",
        "2026-01-15 09:05  1,000  12,345       -  $1.50  acme/s22  Weekly report",
        "",
      ].join("\n"),
    );
  });

  it("says of a cost whether it is all, little or unknown", () => {
    const [, ...rows] = cells([costing(0), costing(0.001), costing(1_234.5), costing(2, 1), costing(0, 4)]);
    expect(rows.map((row) => row[4])).toEqual(["$0.00", "<$0.01", "$1,234.50", "$2.00+", "-"]);
  });

  it("cuts titles to the width of the terminal, and shows what was asked where there is none", () => {
    const { title: _, ...untitled } = SESSION;
    const [, first, second] = cells(
      [
        { ...SESSION, title: "x".repeat(500) },
        { ...untitled, prompt: "What\nnow?" },
      ],
      100,
    );
    expect(first!.at(-1)).toMatch(/^x{15,60}…$/);
    expect(sessionTable([{ ...SESSION, title: "x".repeat(500) }], 100).split("\n")[1]).toHaveLength(100);
    expect(second!.at(-1)).toBe("What now?");
  });

  it("lets no command reach a terminal, and keeps an instant that is none", () => {
    const evil = "\u001b[2J\u202e\u009b\n";
    const table = sessionTable([{ ...SESSION, sessionId: evil, title: evil, lastActive: evil }]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is tested
    expect(table.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(table.split("\n")).toHaveLength(3);
  });
});
