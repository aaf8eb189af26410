import { describe, expect, it } from "vitest";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { placesOfOthers } from "../support/history-places.js";
import { FIXTURES, lines, newProjects, userRecord } from "./support/projects.js";
import { projectsFolders } from "./support/real-histories.js";

const isRecognised = (folder: string) => runToEnd(claudeCodeFormat.folder.recognises(folder));

const OTHERS = placesOfOthers("claude-code");

const own = { sessionId: "s", isSidechain: false };

describe("a projects folder of Claude Code", () => {
  it("is known by the records in it", async () => {
    expect(isRecognised(FIXTURES)).toBe(true);
    expect(isRecognised(await newProjects({ "p/s.jsonl": lines(userRecord(1, 0, "Hi.", own)) }))).toBe(true);
    expect(isRecognised(await newProjects({ "p/s.jsonl": lines({ type: "summary", leafUuid: "u" }) }))).toBe(
      true,
    );
  });

  it("is not known by its names alone", async () => {
    const rollout = { timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "x" } };
    for (const files of [
      {},
      { "notes.txt": "x" },
      { "p/s.jsonl": "" },
      { "p/s.jsonl": "no json\n" },
      { "p/s.jsonl": lines({ type: "user" }, { sessionId: "s" }) },
      { "p/s.json": lines(userRecord(1, 0, "Hi.", own)) },
      { "24/rollout-2026-01-24.jsonl": lines(rollout) },
    ]) {
      expect(isRecognised(await newProjects(files))).toBe(false);
    }
    expect(isRecognised("/nowhere/at/all")).toBe(false);
  });

  it("is distinguished from the folders of other tools", () => {
    for (const [name, folder] of projectsFolders())
      expect([name, isRecognised(folder)]).toEqual([name, true]);
    expect(OTHERS.length).toBeGreaterThan(20);
    expect(OTHERS.filter(({ folder }) => isRecognised(folder))).toEqual([]);
  });
});
