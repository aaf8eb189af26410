import { appendFile, chmod, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import type { SessionSearch } from "../../src/application/ports/inspector-data-source.js";
import type { ReadingTask, RunOptions } from "../../src/application/ports/reading-pool.js";
import { selectSessions } from "../../src/application/sources/select-sessions.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { makeFolders, temporaryFolder } from "../support/data-directory.js";
import { withoutPrivileges } from "../support/privileges.js";
import { runs } from "../support/soak.js";

const NOON = Date.UTC(2026, 0, 15, 12);

class CountingPool extends InProcessPool {
  sessionsRead = 0;

  override run<Input, Output>(
    task: ReadingTask<Input, Output>,
    input: Input,
    options?: RunOptions,
  ): Promise<Output> {
    if (task.name === "readSessions") this.sessionsRead += (input as { sessions: unknown[] }).sessions.length;
    return super.run(task, input, options);
  }
}

interface Times {
  /** Seconds after noon. */
  readonly active: number;
  /** Seconds after noon. */
  readonly written: number;
}

interface Given {
  readonly dataDir: string;
  readonly files: readonly SessionFiles[];
  readonly pool: CountingPool;
  readonly source: InspectorDataSource;
}

async function sessions(given: readonly Times[]): Promise<Given> {
  const dataDir = await temporaryFolder();
  const files = given.map((_, i) => sessionFiles(dataDir, `t${i % 3}`, `s${i}`));
  for (const [i, { active, written }] of given.entries()) {
    const file = files[i]!;
    await makeFolders(file);
    await writeFile(file.session, `${JSON.stringify({ type: "init", createdAt: NOON + active * 1_000 })}\n`);
    const time = new Date(NOON + written * 1_000);
    for (const name of [file.session, file.folder]) await utimes(name, time, time);
  }
  const pool = new CountingPool();
  return { dataDir, files, pool, source: createFilesystemInspectorDataSource(dataDir, { pool }) };
}

async function pagesOf(source: InspectorDataSource, limit: number): Promise<InspectorSessionItem[]> {
  const items: InspectorSessionItem[] = [];
  for (let after: SessionSearch["after"]; ; after = items.at(-1)) {
    const page = await source.findSessions!({ limit, after });
    items.push(...page.items);
    if (page.items.length < limit) return items;
  }
}

const sorted = (items: readonly InspectorSessionItem[]) => runToEnd(selectSessions(items, {}));
const ids = (items: readonly InspectorSessionItem[]) => items.map(({ sessionId }) => sessionId);

describe("a page of the sessions of a data directory", () => {
  it("reads the sessions that are on it", async () => {
    const times = Array.from({ length: 60 }, (_, i) => ((i * 37) % 60) * 10);
    const { source, pool } = await sessions(times.map((active) => ({ active, written: active + 1 })));
    const first = await source.findSessions!({ limit: 10 });
    expect(first).toMatchObject({ total: 60, unread: 50, warnings: [] });
    expect(pool.sessionsRead).toBe(10);
    expect(await source.findSessions!({ limit: 10, after: first.items.at(-1) })).toMatchObject({
      unread: 40,
    });
    expect(await source.findSessions!({ limit: 10, tenantId: "t1" })).toMatchObject({ total: 20 });
    const all = await source.listSessions();
    expect(first.items).toEqual(sorted(all).slice(0, 10));
    expect(pool.sessionsRead).toBe(60);
  });

  it("lacks a session whose files are older than its records until it was read, and then has it in its place", async () => {
    const { source } = await sessions([
      { active: 10, written: 10 },
      { active: 90, written: -100 },
      { active: 30, written: 30 },
    ]);
    expect(ids(await pagesOf(source, 1))).toEqual(["s2", "s0"]);
    expect(ids(await pagesOf(source, 1))).toEqual(["s1", "s2", "s0"]);
  });

  it("holds in all pages what the whole list holds, whatever the files' times", async () => {
    const second = fc.integer({ min: 0, max: 40 });
    const times = fc.record({ active: second, written: fc.oneof(second, fc.constant(1_000)) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(times, { maxLength: 20 }),
        fc.integer({ min: 1, max: 6 }),
        async (given, limit) => {
          const { dataDir, source } = await sessions(given);
          const seen = ids(await pagesOf(source, limit));
          expect(new Set(seen).size).toBe(seen.length);
          const whole = await createFilesystemInspectorDataSource(dataDir, { threads: false }).listSessions();
          expect(await pagesOf(source, limit)).toEqual(sorted(whole));
          await rm(dataDir, { recursive: true });
        },
      ),
      { numRuns: runs(30) },
    );
  });

  it("goes on where a session grew, and another one is gone by then", async () => {
    const { source, files } = await sessions([10, 20, 30].map((active) => ({ active, written: active })));
    const { items } = await source.findSessions!({ limit: 1 });
    await rm(files[1]!.folder, { recursive: true });
    const update = { type: "update", title: "Later", updatedAt: NOON + 500_000 };
    await appendFile(files[2]!.session, `${JSON.stringify(update)}\n`);
    await source.findSessions!({ limit: 2, after: items[0] });
    expect(await source.findSessions!({ limit: 5 })).toMatchObject({
      items: [{ sessionId: "s2", title: "Later" }, { sessionId: "s0" }],
      total: 2,
      unread: 0,
    });
  });
});

describe("what of the list of a data directory cannot be read", () => {
  it("is said of a session by its item, and of a tenant by the list", async () => {
    const { dataDir, files } = await sessions([10, 20, 30].map((active) => ({ active, written: active })));
    await chmod(dataDir, 0o755);
    await chmod(files[0]!.session, 0);
    const hidden = path.dirname(files[1]!.folder);
    await chmod(hidden, 0);
    await withoutPrivileges(async () => {
      const source = createFilesystemInspectorDataSource(dataDir, { threads: false });
      const { items, warnings } = await source.findSessions!({ limit: 10 });
      expect(items.map(({ sessionId, warnings: count }) => [sessionId, count]).sort()).toEqual([
        ["s0", 1],
        ["s2", undefined],
      ]);
      const file = "tenants/t1/sessions";
      expect(warnings).toEqual([{ file, line: 1, reason: `${file} cannot be read: permission denied.` }]);
    });
    await chmod(hidden, 0o755);
  });
});
