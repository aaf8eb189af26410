import { appendFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { QUARTER_MS, type SessionFacts } from "../../src/domain/facts/session-facts.js";
import type { InspectorDataSource } from "../../src/index.js";
import { historiesRead } from "../support/cached-lists.js";
import { temporaryFolder } from "../support/data-directory.js";
import { assistantRecord, lines, newProjects, openHistories, userRecord } from "./support/projects.js";

const call = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: string, isError = false) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  is_error: isError,
});

const WORK = [
  userRecord(1, 0, "Räum auf."),
  assistantRecord(2, 10, "m1", [call("t1", "Read", { file_path: "/srv/Größe.ts" })]),
  userRecord(3, 12, [result("t1", "x".repeat(400))]),
  assistantRecord(4, 20, "m2", [
    call("t2", "Edit", { file_path: "/srv/Größe.ts", old_string: "a", new_string: "b" }),
  ]),
  userRecord(5, 21, [result("t2", "y".repeat(40))]),
  assistantRecord(6, 900, "m3", [
    call("t3", "Bash", { command: "cd /srv && cat /srv/weg.ts" }),
    call("t4", "Bash", { command: "sed -n 1,9p /srv/b.ts" }),
  ]),
  userRecord(7, 960, [result("t3", "cat: '/srv/weg.ts': Größe unbekannt", true), result("t4", "b")]),
  { type: "system", subtype: "compact_boundary", timestamp: "2026-03-01T10:17:00.000Z", uuid: "c" },
  assistantRecord(8, 1_021, "m4", [{ type: "text", text: "Done." }]),
];

const TEN_O_CLOCK = Date.UTC(2026, 2, 1, 10) / QUARTER_MS;

async function factsIn(source: InspectorDataSource, sessionId = "s"): Promise<SessionFacts> {
  const { items } = await source.findSessions!({ withFacts: true, sessionId });
  return items[0]!.facts!;
}

function rows<Name extends string>(columns: Readonly<Record<Name, readonly number[]>>, ...names: Name[]) {
  return columns[names[0]!].map((_, i) => names.map((name) => columns[name][i]));
}

describe("what a session of Claude Code did", () => {
  it("is told by quarter hours: tools, failures, files, and what contexts held until they were summed up", async () => {
    const source = openHistories(await newProjects({ "p/s.jsonl": lines(...WORK) }));
    const facts = await factsIn(source);
    const { tools, toolUse, durations, carried, failures, activity, causes } = facts;
    expect(tools).toEqual(["Read", "Edit", "Bash"]);
    const [first, second] = [TEN_O_CLOCK, TEN_O_CLOCK + 1];
    expect(rows(toolUse, "quarter", "tool", "calls", "failures", "resultTokens")).toEqual([
      [first, 0, 1, 0, 100],
      [first, 1, 1, 0, 10],
      [second, 2, 2, 1, 11],
    ]);
    expect(rows(durations, "tool", "calls")).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
    ]);
    expect(rows(carried, "quarter", "tool", "firstTokens", "againTokens")).toEqual([
      [first, 0, 100, 0],
      [second, 0, 0, 100],
      [second, 1, 10, 0],
    ]);
    expect(causes).toEqual(["cat: …: Größe unbekannt"]);
    const failedAt = Date.UTC(2026, 2, 1, 10, 15);
    expect(rows(failures, "quarter", "cause", "tool", "count", "firstAt")).toEqual([
      [second, 0, 2, 1, failedAt],
    ]);
    expect(rows(activity, "quarter", "minutes", "agents")).toEqual([
      [first, 0b1, 1],
      [second, 0b111, 1],
    ]);
    expect(facts).toMatchObject({ edited: ["/srv/Größe.ts"], read: ["/srv/Größe.ts", "/srv/b.ts"] });
    expect(facts).toMatchObject({
      compactions: 1,
      agents: 0,
      roles: [""],
      models: [{ model: "claude-test" }],
    });
  });

  it("is the same whether a file was read while it grew or at its end", async () => {
    const root = await newProjects({ "p/s.jsonl": lines(...WORK.slice(0, 4)) });
    const growing = openHistories(root);
    await factsIn(growing);
    for (const record of WORK.slice(4)) {
      await appendFile(path.join(root, "p/s.jsonl"), lines(record));
      await factsIn(growing);
    }
    expect(await factsIn(growing)).toEqual(await factsIn(openHistories(root)));
  });

  it("is cached by a list that nobody asked it of: the next process opens no history for it", async () => {
    const root = await newProjects({ "p/s.jsonl": lines(...WORK) });
    const cacheDir = await temporaryFolder();
    expect(await historiesRead("claude-code", root, cacheDir)).toEqual(["p/s.jsonl"]);
    expect(await historiesRead("claude-code", root, cacheDir, true)).toEqual([]);
    const [cached] = await openHistories(root, { cacheDir }).listSessions();
    expect(cached).not.toHaveProperty("facts");
    expect(await factsIn(openHistories(root, { cacheDir }))).toEqual(await factsIn(openHistories(root)));
  });

  it("comes of as many sessions as there is time to read, and of none that was idle since", async () => {
    const files: Record<string, string> = {};
    for (let i = 0; i < 260; i++) files[`p/s${i}.jsonl`] = lines(userRecord(i, i, "Hm."));
    const source = openHistories(await newProjects(files));
    const search = { withFacts: true, budgetMs: 0 };
    let page = await source.findSessions!(search);
    expect([page.total, page.unread]).toEqual([260, 260 - page.items.length]);
    expect(page.unread).toBeGreaterThan(0);
    while (page.unread !== 0) page = await source.findSessions!({ ...search, budgetMs: 20 });
    expect(page.items.length).toBe(260);
    const activeFrom = Date.UTC(2026, 2, 1, 10, 4);
    const active = await source.findSessions!({ ...search, activeFrom });
    expect([active.items.length, active.total]).toEqual([20, 260]);
    expect(active.items.every(({ facts }) => facts !== undefined)).toBe(true);
  });
});
