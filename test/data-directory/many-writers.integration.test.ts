import { readdir, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { seeded } from "../../bench/random.js";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import {
  createFilesystemInspectorDataSource,
  createFilesystemSessionStore,
  SessionRecorder,
} from "../../src/advanced.js";
import { temporaryFolder } from "../support/data-directory.js";
import { killWriters, readUntil, storedRecords } from "../support/killed-writers.js";
import { sized } from "../support/soak.js";

const KILLS = sized(2, 100);

describe("Four processes that write to one session, and are killed", () => {
  it("lose nothing that was acknowledged, and double nothing", { timeout: 600_000 }, async () => {
    const dataDir = await temporaryFolder();
    const source = createFilesystemInspectorDataSource(dataDir);
    const writing = killWriters(dataDir, { kills: KILLS, maxBytes: 20_000_000, random: seeded(13) });
    const [acknowledged, answers] = await Promise.all([writing, readUntil(writing, source)]);
    await source.close?.();
    expect(answers).toBeGreaterThan(0);
    const stored = await storedRecords(dataDir);
    const lost = [...acknowledged].filter((record) => !stored.has(record));
    const doubled = [...stored].filter(([, count]) => count > 1);
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
    expect(stored.get("init")).toBe(1);
    expect(acknowledged.size).toBeGreaterThan(KILLS);
  });
});

describe("Several stores of one process", () => {
  const opened = async (dataDir: string) =>
    new SessionRecorder(createFilesystemSessionStore(dataDir)).open({ tenantId: "acme", sessionId: "s1" });

  it("begin a session once", async () => {
    const dataDir = await temporaryFolder();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => opened(dataDir)));
    expect(sessions.map(({ turns }) => turns)).toEqual(Array(20).fill(0));
    expect(await storedRecords(dataDir)).toEqual(new Map([["init", 1]]));
  });

  it("lose no message while each of them replaces the conversation", async () => {
    const dataDir = await temporaryFolder();
    const sessions = await Promise.all(Array.from({ length: 6 }, () => opened(dataDir)));
    const ids: number[] = [];
    const message = () => ({ id: ids.push(0), role: "user", content: "x".repeat(ids.length * 1_000) });
    for (let round = 0; round < sized(10, 30); round++) {
      await Promise.all(
        sessions.flatMap((session, writer) => [
          session.appendMessages([message()]),
          (round + writer) % 3 > 0 ? session.compactMessages([message()]) : session.recordTurn(),
          session.appendMessages([message()]),
        ]),
      );
    }
    const stored = await storedRecords(dataDir);
    expect(ids.map((_, i) => stored.get(`message ${i + 1}`))).toEqual(ids.map(() => 1));
    const { compactions, messages } = sessionFiles(dataDir, "acme", "s1");
    const names = await readdir(compactions);
    const inodes = await Promise.all(names.map(async (name) => (await stat(`${compactions}/${name}`)).ino));
    expect(new Set(inodes).size).toBe(names.length);
    const open = names.filter((name) => !name.endsWith(".jsonl"));
    expect(open).toEqual([expect.stringMatching(/\.open$/)]);
    expect((await stat(`${compactions}/${open[0]}`)).ino).toBe((await stat(messages)).ino);
  });
});
