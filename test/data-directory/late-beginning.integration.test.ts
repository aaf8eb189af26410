import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { appendLines, emptySession } from "../support/data-directory.js";

const INIT = { type: "init", userId: "ada", title: "First", createdAt: 1_768_478_400_000, errors: 0 };
const OTHER = { type: "init", userId: "eve", title: "Other", createdAt: 1_768_478_400_001, errors: 0 };
const FAILED = { type: "update", errors: 1, updatedAt: 1_768_478_400_002 };
const TURN = { type: "turn", turnIndex: 0, inputTokens: 5, errors: 2, updatedAt: 1_768_478_400_003 };
const RENAMED = { type: "update", title: "Second", updatedAt: 1_768_478_400_004 };
/** Longer than the part that each reading of a grown log repeats. */
const LONG = { type: "update", lastAnswer: "x", padding: "x".repeat(8_192), updatedAt: 1_768_478_400_004 };

async function listed(records: readonly object[], later: readonly object[] = []) {
  const { dataDir, session } = await emptySession();
  const source = createFilesystemInspectorDataSource(dataDir, { threads: false });
  await writeFile(session, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  if (later.length > 0) {
    await source.listSessions();
    await appendLines(
      session,
      later.map((record) => JSON.stringify(record)),
    );
  }
  const [item] = await source.listSessions();
  const { userId, title, errors, turns, tokens, createdAt } = item!;
  return { userId, title, errors, turns, tokens, createdAt };
}

const CREATED = "2026-01-15T12:00:00.000Z";

describe("A log whose beginning comes late", () => {
  it.each([
    ["after a failure", [FAILED, INIT], { title: "First", errors: 1, turns: 0, tokens: 0 }],
    [
      "after all that it was to precede",
      [FAILED, TURN, RENAMED, INIT],
      { title: "Second", errors: 3, turns: 1, tokens: 5 },
    ],
    ["between failures", [FAILED, INIT, TURN, FAILED], { title: "First", errors: 4, turns: 1, tokens: 5 }],
    [
      "a second time, of another process",
      [INIT, FAILED, RENAMED, OTHER, FAILED],
      { title: "Second", errors: 2, turns: 0, tokens: 0 },
    ],
    [
      "a second time, before everything else",
      [INIT, OTHER, FAILED],
      { title: "First", errors: 1, turns: 0, tokens: 0 },
    ],
  ])("has lost nothing: %s", async (_, records, expected) => {
    expect(await listed(records)).toEqual({ userId: "ada", createdAt: CREATED, ...expected });
    expect(await listed([LONG, ...records])).toEqual({ userId: "ada", createdAt: CREATED, ...expected });
  });

  it("has lost nothing where it was listed before its beginning came", async () => {
    const expected = { userId: "ada", createdAt: CREATED, title: "Second", errors: 4, turns: 1, tokens: 5 };
    expect(await listed([LONG, FAILED, TURN, RENAMED], [INIT, FAILED])).toEqual(expected);
    expect(await listed([FAILED, TURN, RENAMED], [INIT, FAILED])).toEqual(expected);
  });

  it("is of another user where an `init` without an instant says so, and has lost nothing else", async () => {
    const { createdAt: _, ...changed } = { ...OTHER, errors: 7 };
    expect(await listed([INIT, FAILED, RENAMED, changed])).toEqual({
      userId: "eve",
      title: "Second",
      errors: 1,
      turns: 0,
      tokens: 0,
      createdAt: CREATED,
    });
  });

  it("shows no number of failures where its beginning does not say that they are counted", async () => {
    const { errors: _, ...uncounted } = INIT;
    expect((await listed([FAILED, uncounted, FAILED])).errors).toBeUndefined();
    expect((await listed([uncounted, FAILED, OTHER, FAILED])).errors).toBeUndefined();
    expect((await listed([FAILED])).errors).toBeUndefined();
  });
});
