import { appendFile, chmod, mkdir, rm, utimes } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionSearch } from "../../src/application/ports/inspector-data-source.js";
import type { ReadingTask, RunOptions } from "../../src/application/ports/reading-pool.js";
import { selectSessions } from "../../src/application/sources/select-sessions.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { withoutPrivileges } from "../support/privileges.js";
import { runs } from "../support/soak.js";
import { at, lines, newProjects, openHistories, userRecord } from "./support/projects.js";

class CountingPool extends InProcessPool {
  sessionsRead = 0;
  discoveries = 0;

  override run<Input, Output>(
    task: ReadingTask<Input, Output>,
    input: Input,
    options?: RunOptions,
  ): Promise<Output> {
    if (task.name === "tenants") this.discoveries++;
    if (task.name === "summarize") this.sessionsRead += (input as { sessions: unknown[] }).sessions.length;
    return super.run(task, input, options);
  }
}

interface Files {
  /** Seconds after ten. */
  readonly active: number;
  /** Time of the file itself; default is just after `active`. */
  readonly written?: number;
  readonly project?: string;
}

async function folderOf(sessions: readonly Files[]): Promise<string> {
  const nameOf = ({ project = "p" }: Files, i: number) => `${project}/s${i}.jsonl`;
  const texts = sessions.map((one, i) => [
    nameOf(one, i),
    lines(userRecord(1_000 + i, one.active - 5, "Go."), userRecord(5_000 + i, one.active, `Prompt ${i}.`)),
  ]);
  const root = await newProjects(Object.fromEntries(texts));
  for (const [i, one] of sessions.entries()) {
    const time = new Date(Date.parse(at(one.written ?? one.active)) + 300);
    await utimes(path.join(root, nameOf(one, i)), time, time);
  }
  return root;
}

async function pagesOf(source: InspectorDataSource, search: SessionSearch): Promise<InspectorSessionItem[]> {
  const items: InspectorSessionItem[] = [];
  for (let after: SessionSearch["after"]; ; after = items.at(-1)) {
    const page = await source.findSessions!({ ...search, after });
    items.push(...page.items);
    if (page.items.length < search.limit!) return items;
  }
}

const sorted = (items: readonly InspectorSessionItem[], search: SessionSearch = {}) =>
  runToEnd(selectSessions(items, search));
const ids = (items: readonly InspectorSessionItem[]) => items.map(({ sessionId }) => sessionId);

describe("a page of the list of Claude Code sessions", () => {
  it("reads the sessions that are on it, and those of the next one when that is asked for", async () => {
    const root = await folderOf(Array.from({ length: 60 }, (_, i) => ({ active: ((i * 37) % 60) * 100 })));
    const pool = new CountingPool();
    const source = openHistories(root, { pool });
    const first = await source.findSessions!({ limit: 10 });
    expect(first).toMatchObject({ total: 60, unread: 50, warnings: [] });
    expect(pool.sessionsRead).toBe(10);
    const second = await source.findSessions!({ limit: 10, after: first.items.at(-1) });
    expect(second).toMatchObject({ total: 60, unread: 40 });
    expect(pool).toMatchObject({ sessionsRead: 20, discoveries: 1 });
    const all = await source.listSessions();
    expect(pool).toMatchObject({ sessionsRead: 60, discoveries: 2 });
    expect([...first.items, ...second.items]).toEqual(sorted(all).slice(0, 20));
  });

  it("reads no more of a folder that was copied, whose files are all new", async () => {
    const root = await folderOf(
      Array.from({ length: 60 }, (_, i) => ({ active: ((i * 37) % 60) * 100, written: 1_000_000 })),
    );
    const pool = new CountingPool();
    const source = openHistories(root, { pool });
    const { items } = await source.findSessions!({ limit: 10 });
    expect(pool.sessionsRead).toBe(10);
    expect(items).toEqual(sorted(await source.listSessions()).slice(0, 10));
  });

  it("takes a sub-agent's file for a part of its session", async () => {
    const root = await newProjects({
      "p/old.jsonl": lines(userRecord(1, 0, "One.")),
      "p/old/subagents/agent-a.jsonl": lines(userRecord(2, 900, "Two.", { agentId: "a" })),
      "p/new.jsonl": lines(userRecord(3, 500, "Three.")),
    });
    const now = new Date();
    for (const name of ["old.jsonl", "old/subagents/agent-a.jsonl", "new.jsonl"]) {
      await utimes(path.join(root, "p", name), now, now);
    }
    const { items } = await openHistories(root).findSessions!({ limit: 1 });
    expect(ids(items)).toEqual(["old"]);
  });

  it("lacks a session whose file is older than its records until that has been read, and then has it in its place", async () => {
    const restored = { active: 9_000, written: -50_000 };
    const root = await folderOf([{ active: 100 }, { active: 200 }, restored, { active: 300 }]);
    const source = openHistories(root);
    expect(ids(await pagesOf(source, { limit: 2 }))).toEqual(["s3", "s1", "s0"]);
    expect(ids(await pagesOf(source, { limit: 2 }))).toEqual(["s2", "s3", "s1", "s0"]);
  });

  it("holds in all pages what the whole list holds, whatever the files' times", async () => {
    const second = fc.integer({ min: 6, max: 400 });
    const files = fc.record({
      active: second,
      written: fc.oneof(second, fc.constant(900)),
      project: fc.constantFrom("p", "q"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(files, { maxLength: 25 }),
        fc.integer({ min: 1, max: 7 }),
        async (given, limit) => {
          const root = await folderOf(given);
          const whole = await openHistories(root).listSessions();
          const source = openHistories(root);
          const seen = ids(await pagesOf(source, { limit }));
          expect(new Set(seen).size).toBe(seen.length);
          expect(await pagesOf(source, { limit })).toEqual(sorted(whole));
          const search = { limit, text: "prompt 1", tenantId: "p" };
          expect(await pagesOf(openHistories(root), { ...search, limit: 1_000 })).toEqual(
            sorted(whole, search),
          );
          await rm(root, { recursive: true });
          await mkdir(root);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it("looks at the folder again for a first page: a session that grew, one that is new, one that is gone", async () => {
    const root = await folderOf([{ active: 100 }, { active: 200 }, { active: 300 }]);
    const source = openHistories(root);
    expect(ids((await source.findSessions!({ limit: 2 })).items)).toEqual(["s2", "s1"]);
    await appendFile(path.join(root, "p/s0.jsonl"), lines(userRecord(9_000, 400, "More.")));
    await appendFile(path.join(root, "p/new.jsonl"), lines(userRecord(9_001, 250, "New.")));
    await rm(path.join(root, "p/s2.jsonl"));
    expect(await source.findSessions!({ limit: 3 })).toMatchObject({
      items: [{ sessionId: "s0", lastActive: at(400) }, { sessionId: "new" }, { sessionId: "s1" }],
      total: 3,
      unread: 0,
    });
  });

  it("goes on where a session of a later page is gone by then", async () => {
    const root = await folderOf([{ active: 100 }, { active: 200 }, { active: 300 }]);
    const source = openHistories(root);
    const { items } = await source.findSessions!({ limit: 1 });
    await rm(path.join(root, "p/s1.jsonl"));
    const next = await source.findSessions!({ limit: 2, after: items[0] });
    expect(ids(next.items)).toEqual(["s0"]);
    expect(next).toMatchObject({ total: 2, unread: 0 });
  });

  it("comes at once for callers that ask for the same, and each may change what it has", async () => {
    const source = openHistories(await folderOf([{ active: 100 }]));
    const pages = await Promise.all([1, 2, 3].map(() => source.findSessions!({ limit: 5 })));
    Object.assign(pages[0]!.items[0]!, { title: "changed" });
    expect(pages[1]!.items[0]!.title).not.toBe("changed");
  });
});

describe("what of the list cannot be read", () => {
  it("is said of a session by its item, and of a project by the list", async () => {
    const root = await folderOf([{ active: 100 }, { active: 200 }, { active: 300, project: "hidden" }]);
    await chmod(root, 0o755);
    await chmod(path.join(root, "p/s0.jsonl"), 0);
    await chmod(path.join(root, "hidden"), 0);
    await withoutPrivileges(async () => {
      const source = createClaudeCodeDataSource(root, { threads: false });
      const { items, warnings, total } = await source.findSessions!({ limit: 10 });
      expect(items.map(({ sessionId, warnings: count }) => [sessionId, count]).sort()).toEqual([
        ["s0", 1],
        ["s1", undefined],
      ]);
      expect(total).toBe(2);
      expect(warnings).toEqual([
        { file: "hidden", line: 1, reason: "hidden cannot be read: permission denied." },
      ]);
      expect(await source.listSessions()).toHaveLength(2);
    });
    await chmod(path.join(root, "hidden"), 0o755);
  });
});
