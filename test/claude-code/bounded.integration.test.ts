import path from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { GrowingFile } from "../../src/adapters/transcripts/trace/growing-file.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { lines, newProjects, userRecord } from "./support/projects.js";

const PROMPTS = 3_000;

async function growingFile(retainsRows: boolean, mostBytes?: number) {
  const prompts = Array.from({ length: PROMPTS }, (_, i) =>
    userRecord(i, i, `Prompt ${i} ${"x".repeat(200)}`),
  );
  const root = await newProjects({ "p/s.jsonl": lines(...prompts) });
  const options = {
    agentId: "",
    isOneConversation: false,
    isContinued: false,
    retainsRows,
    isReplay: () => false,
  };
  return new GrowingFile(root, path.join(root, "p/s.jsonl"), claudeCodeFormat, options, mostBytes);
}

describe("a transcript with very many lines", () => {
  it("is derived up to so much memory, and the rest is one problem", async () => {
    const file = await growingFile(true, 100_000);
    const derived = runToEnd(file.read(Number.POSITIVE_INFINITY))!;
    const { turns } = derived.conversations[0]!;
    expect(turns).toBeLessThan(PROMPTS);
    expect(derived.problems).toEqual([
      {
        line: turns + 1,
        reason: "and all later lines, are skipped: the file exceeds the size limit",
      },
    ]);
    expect(runToEnd(file.read(Number.POSITIVE_INFINITY))).toBe(derived);
  });

  it("is summed up so many lines at a time, the next time from there on", async () => {
    const file = await growingFile(false);
    const turns: number[] = [];
    for (let isComplete = false; !isComplete; ) {
      const derived = runToEnd(file.read(500))!;
      turns.push(derived.conversations[0]!.turns);
      isComplete = derived.isComplete;
    }
    expect(turns.length).toBeGreaterThan(2);
    expect(turns.at(-1)).toBe(PROMPTS);
  });
});
