import { appendFile, mkdir, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ReadSession } from "../../src/adapters/data-directory/read-sessions.js";
import { type SessionFiles, sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import type { Cached } from "../../src/adapters/files/cache/disk-cache.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import type { ReadingTask, RunOptions } from "../../src/application/ports/reading-pool.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import type { InspectorDataSource } from "../../src/index.js";
import { makeFolders, temporaryFolder } from "../support/data-directory.js";

const NOW = Date.UTC(2026, 0, 15, 12);

class WatchedPool extends InProcessPool {
  readonly runs: Record<string, number> = {};
  sessionsRead = 0;
  change = async (read: readonly ReadSession[]): Promise<readonly ReadSession[]> => read;

  override async run<Input, Output>(
    task: ReadingTask<Input, Output>,
    input: Input,
    options?: RunOptions,
  ): Promise<Output> {
    this.runs[task.name] = (this.runs[task.name] ?? 0) + 1;
    const output = await super.run(task, input, options);
    if (task.name !== "readSessions") return output;
    const read = output as Cached<readonly ReadSession[]>;
    this.sessionsRead += read.answer.length;
    return { ...read, answer: await this.change(read.answer) } as Output;
  }
}

interface Given {
  readonly dataDir: string;
  readonly files: readonly SessionFiles[];
  readonly pool: WatchedPool;
  readonly list: () => Promise<string[]>;
  readonly source: InspectorDataSource;
}

async function sessions(
  count: number,
  options: { now?: () => number; onProgress?: () => void } = {},
): Promise<Given> {
  const dataDir = await temporaryFolder();
  const pool = new WatchedPool();
  const files = Array.from({ length: count }, (_, i) => sessionFiles(dataDir, `t${i % 3}`, `s${i}`));
  for (const [i, file] of files.entries()) {
    await makeFolders(file);
    await writeFile(file.session, `${JSON.stringify({ type: "init", userId: `u${i}`, createdAt: NOW })}\n`);
  }
  const source = createFilesystemInspectorDataSource(dataDir, { pool, now: () => NOW, ...options });
  const list = async () =>
    (await source.listSessions())
      .map(({ sessionId, userId, status }) => `${sessionId} ${userId} ${status}`)
      .sort();
  return { dataDir, files, pool, list, source };
}

describe("One session of a data directory", () => {
  it("is found by its id without a look at any other", async () => {
    const { files, pool, source } = await sessions(60);
    const find = async () => (await source.findSessions!({ tenantId: "t1", sessionId: "s4" })).items;
    expect(await find()).toMatchObject([{ tenantId: "t1", sessionId: "s4", userId: "u4" }]);
    expect(pool.runs).toEqual({ lookUpSession: 1, lookUpFiles: 1, readSessions: 1 });
    expect(pool.sessionsRead).toBe(1);
    await find();
    expect(pool.sessionsRead).toBe(1);
    await appendFile(files[4]!.session, '{"type":"update","title":"New","updatedAt":1}\n');
    expect(await find()).toMatchObject([{ title: "New" }]);
    expect(pool.sessionsRead).toBe(2);
    expect(pool.runs).not.toHaveProperty("findSessions");
  });

  it("is none where there is no such session, and none any more when it is gone", async () => {
    const { files, pool, source } = await sessions(3);
    const find = async (tenantId: string, sessionId: string) =>
      (await source.findSessions!({ tenantId, sessionId })).items.length;
    expect([await find("t1", "s9"), await find("t0", "s1"), await find("t9", "s1")]).toEqual([0, 0, 0]);
    expect(await find("t1", "s1")).toBe(1);
    await rm(files[1]!.folder, { recursive: true });
    expect(await find("t1", "s1")).toBe(0);
    expect(pool.sessionsRead).toBe(1);
  });
});

describe("the list of sessions", () => {
  it("reads a session again only when one of its files has changed, come or gone", async () => {
    const { files, pool, list } = await sessions(3);
    expect(await list()).toEqual(["s0 u0 idle", "s1 u1 idle", "s2 u2 idle"]);
    await list();
    expect(pool.sessionsRead).toBe(3);
    await appendFile(files[1]!.session, '{"type":"init","userId":"new"}\n');
    expect(await list()).toEqual(["s0 u0 idle", "s1 new idle", "s2 u2 idle"]);
    expect(pool.sessionsRead).toBe(4);
    const envelope = { timestamp: new Date(NOW).toISOString(), event: { type: "turn.start" } };
    await writeFile(files[2]!.trace, `${JSON.stringify(envelope)}\n`);
    expect(await list()).toContain("s2 u2 running");
    await rm(files[2]!.trace);
    expect(await list()).toContain("s2 u2 idle");
    expect(pool.sessionsRead).toBe(6);
    await rm(files[0]!.folder, { recursive: true });
    expect(await list()).toEqual(["s1 new idle", "s2 u2 idle"]);
    expect(pool.sessionsRead).toBe(6);
  });

  it("lets a running session become idle by the clock alone", async () => {
    let now = NOW;
    const { files, pool, list } = await sessions(1, { now: () => now });
    const envelope = { timestamp: new Date(NOW).toISOString(), event: { type: "turn.start" } };
    await writeFile(files[0]!.trace, `${JSON.stringify(envelope)}\n`);
    expect(await list()).toEqual(["s0 u0 running"]);
    now += 5 * 60_000 + 1;
    expect(await list()).toEqual(["s0 u0 idle"]);
    expect(await list()).toEqual(["s0 u0 idle"]);
    expect(pool.sessionsRead).toBe(1);
  });

  it("dates a session that recorded no instant by its folder, whenever that changes", async () => {
    const dataDir = await temporaryFolder();
    const { folder } = sessionFiles(dataDir, "acme", "empty");
    await mkdir(folder, { recursive: true });
    const source = createFilesystemInspectorDataSource(dataDir, { threads: false });
    for (const second of [1_700_000_000, 1_700_000_001]) {
      await utimes(folder, second, second);
      expect(await source.listSessions()).toMatchObject([
        { sessionId: "empty", lastActive: new Date(second * 1_000).toISOString(), status: "idle" },
      ]);
    }
  });

  it("is made once for callers that come at the same time, and gives each its own items", async () => {
    const { dataDir, pool } = await sessions(2);
    const source = createFilesystemInspectorDataSource(dataDir, { pool });
    const lists = await Promise.all(Array.from({ length: 5 }, () => source.listSessions()));
    expect(pool.runs.findSessions).toBe(2);
    Object.assign(lists[0]![0]!, { userId: "changed" });
    expect(lists[1]![0]!.userId).not.toBe("changed");
    expect((await source.listSessions())[0]!.userId).not.toBe("changed");
  });

  it("reads a session again of which a file could not be read", async () => {
    const { pool, list } = await sessions(1);
    pool.change = async (read) => read.map((session) => ({ ...session, isComplete: false }));
    expect(await list()).toHaveLength(1);
    pool.change = async (read) => read;
    expect(await list()).toHaveLength(1);
    await list();
    expect(pool.sessionsRead).toBe(2);
  });

  it("finds sessions in folders alone, and reads many in portions", async () => {
    const { dataDir, files, pool, list } = await sessions(100);
    await writeFile(path.join(dataDir, "tenants", "file"), "");
    await writeFile(path.join(path.dirname(files[0]!.folder), "file"), "");
    expect(await list()).toHaveLength(100);
    expect(pool.runs.readSessions).toBeGreaterThan(1);
  });

  it("reports its progress once a second", async () => {
    const reported: unknown[] = [];
    const { pool, list } = await sessions(2, { onProgress: (...progress) => reported.push(...progress) });
    pool.change = async (read) => {
      await wait(1_050); // Real time: progress comes after a second.
      return read;
    };
    await list();
    expect(reported).toEqual([{ sessions: 2, total: 2, elapsedMs: expect.any(Number) }]);
  });
});
