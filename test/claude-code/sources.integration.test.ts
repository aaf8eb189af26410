import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { InProcessPool, ListSources } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import type { SourceReport } from "../../src/domain/session/source-report.js";
import { listSources, WHOLE_MS } from "../support/list-sources.js";
import { schemaNamed } from "../support/openapi.js";
import { at, lines, newProjects, openHistories, userRecord, uuid } from "./support/projects.js";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 20);

async function newHome(files: Readonly<Record<string, string>>): Promise<string> {
  return newProjects(files);
}

async function reportOf(source: ReturnType<typeof openHistories>): Promise<SourceReport> {
  const { sources } = await listSources(source);
  const validate = schemaNamed("SourceList");
  expect([validate(JSON.parse(JSON.stringify({ sources }))), validate.errors]).toEqual([true, null]);
  expect(sources.length).toBe(1);
  return sources[0]!;
}

const reportIn = (root: string) => reportOf(openHistories(root, { now: () => NOW }));

const version = (text: unknown) => ({ version: text });

describe("the source of Claude Code's sessions", () => {
  it("has the versions that wrote them, of which one is newer than the reader was tried with", async () => {
    const root = await newProjects({
      "p/a.jsonl": lines(userRecord(1, 0, "a", version("2.1.331")), userRecord(2, 1, "b", version("2.1.9"))),
      "p/b.jsonl": lines(userRecord(3, 2, "a", version("2.1.331"))),
      "q/c.jsonl": lines(userRecord(4, 3, "a", version("9.0.0")), userRecord(5, 4, "b", version(7))),
    });
    const report = await reportIn(root);
    expect(report).toMatchObject({
      name: "Claude Code",
      format: "claude-code",
      sessions: 3,
      files: 3,
      oldest: at(0),
      newest: at(4),
      verified: "2.1.331",
      unknownRecordCount: 0,
      problemCount: 0,
    });
    expect(report.versions).toEqual([
      { version: "9.0.0", sessions: 1, isNewer: true },
      { version: "2.1.331", sessions: 2, isNewer: false },
      { version: "2.1.9", sessions: 1, isNewer: false },
    ]);
    expect(report).not.toHaveProperty("path");
  });

  it("tells records that are not known from bookkeeping, and names a session that holds some", async () => {
    const unknown = (type: string, more: object = {}) => ({ type, uuid: uuid(9), timestamp: at(9), ...more });
    const root = await newProjects({
      "p/a.jsonl": lines(
        userRecord(1, 0, "a"),
        unknown("hologram"),
        unknown("hologram"),
        unknown("system", { subtype: "teleport" }),
        unknown("system", { subtype: "local_command" }),
        unknown("attachment", { attachment: { type: "smell" } }),
        unknown("attachment", { attachment: { type: "todo_reminder" } }),
        unknown("queue-operation"),
        unknown("x".repeat(5_000)),
        { noType: true },
      ),
      "p/b.jsonl": lines(userRecord(2, 0, "a"), unknown("hologram")),
    });
    const report = await reportIn(root);
    const counts = report.unknownRecords.map(({ type, records, sessions }) => [type, records, sessions]);
    expect(counts.slice(0, 1)).toEqual([["hologram", 3, 2]]);
    expect(new Map(counts.map(([type, records]) => [type, records]))).toEqual(
      new Map<unknown, unknown>([
        ["hologram", 3],
        ["system/teleport", 1],
        ["attachment/smell", 1],
        ["x".repeat(100), 1],
        ["untyped", 1],
      ]),
    );
    expect(report.unknownRecordCount).toBe(7);
    const [{ example }] = report.unknownRecords as [SourceReport["unknownRecords"][0]];
    expect(example).toMatchObject({ tenantId: "p", sessionId: expect.stringMatching(/^[ab]$/) });
  });

  it("says what could not be read, and why: by reasons, with the first place of each", async () => {
    const root = await newProjects({
      "p/a.jsonl": `${lines(userRecord(1, 0, "a"))}{"broken\n[1]\n{"also broken\n${lines(userRecord(2, 1, "b"))}`,
    });
    const { problems, problemCount } = await reportIn(root);
    const session = { tenantId: "p", sessionId: "a" };
    expect(problems).toEqual([
      { reason: "is not valid JSON", count: 2, session, file: "a.jsonl", line: 2 },
      { reason: expect.stringContaining("object"), count: 1, session, file: "a.jsonl", line: 3 },
    ]);
    expect(problemCount).toBe(2);
  });

  it("is known in part at first, and as a whole when it is asked again", async () => {
    const files = Array.from({ length: 600 }, (_, i) => [`p/${i}.jsonl`, lines(userRecord(i + 1, 0, "a"))]);
    const source = openHistories(await newProjects(Object.fromEntries(files)));
    const seen: number[] = [];
    for (let isComplete = false; !isComplete; ) {
      const { sources } = await new ListSources(source, 0).execute();
      seen.push(sources[0]!.unread);
      expect(sources[0]).toMatchObject({ sessions: 600, files: 600 });
      isComplete = sources[0]!.isComplete;
    }
    expect([seen[0]! > 0, seen.at(-1)]).toEqual([true, 0]);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });

  it("is read once: a later process takes all that it knows from the cache", async () => {
    const home = await newHome({
      "projects/p/a.jsonl": `${lines(userRecord(1, 0, "a", version("2.1.331")), { type: "hologram" })}{"broken\n`,
      "history.jsonl": lines({ sessionId: "gone", display: "Hello", timestamp: 1, project: "/p" }),
    });
    const cacheDir = await newProjects();
    await new Promise((resolve) => setTimeout(resolve, 60));
    const ask = async () => {
      const pool = new InProcessPool();
      const summarized = vi.spyOn(pool, "run");
      const source = createClaudeCodeDataSource(path.join(home, "projects"), { pool, cacheDir });
      const surveys = await source.surveySources!({ budgetMs: WHOLE_MS });
      await source.close!();
      return { surveys, tasks: summarized.mock.calls.map(([{ name }]) => name) };
    };
    const first = await ask();
    const second = await ask();
    expect(second.surveys).toEqual(first.surveys);
    expect(first.tasks).toContain("summarize");
    expect(second.tasks).not.toContain("summarize");
    expect(second.surveys[0]!.tenants).toMatchObject([
      {
        unread: 0,
        versions: [{ version: "2.1.331" }],
        unknownRecords: [{ type: "hologram" }],
        problems: [{ reason: "is not valid JSON" }],
      },
      { tenantId: "-p", gone: [{ sessionId: "gone" }] },
    ]);
  });

  it("shows its path to those who see all tenants, where whoever opened it lets it", async () => {
    const root = await newProjects({ "p/a.jsonl": lines(userRecord(1, 0, "a")) });
    const source = openHistories(root, { showPath: true });
    expect((await reportOf(source)).path).toBe(root);
    const { sources } = await listSources(source, { tenants: ["p"] });
    expect(sources[0]).toMatchObject({ sessions: 1 });
    expect(sources[0]).not.toHaveProperty("path");
  });
});

describe("what Claude Code deletes", () => {
  const SESSION = { "projects/p/a.jsonl": lines(userRecord(1, 0, "a")) };

  async function retentionOf(home: string, daysOld: number): Promise<SourceReport["retention"]> {
    const root = path.join(home, "projects");
    const written = new Date(NOW - daysOld * DAY);
    await utimes(path.join(root, "p/a.jsonl"), written, written);
    return (await reportIn(root)).retention;
  }

  const withSettings = (settings: unknown) =>
    newHome({
      ...SESSION,
      "settings.json": typeof settings === "string" ? settings : JSON.stringify(settings),
    });

  it("are sessions whose file was not written to for 30 days", async () => {
    const home = await withSettings({ env: { ANTHROPIC_API_KEY: "sk-secret" } });
    const due = { withinDays: 7, sessions: 0, bytes: 0 };
    const deletes = { rule: "deletes", days: 30, statedIn: "the default of Claude Code" };
    expect(await retentionOf(home, 22)).toEqual({ ...deletes, due });
    const soon = await retentionOf(home, 23.5);
    expect(soon?.due).toMatchObject({ sessions: 1, first: new Date(NOW + 6.5 * DAY).toISOString() });
    expect(soon!.due!.bytes).toBeGreaterThan(100);
    const overdue = await retentionOf(home, 90);
    expect(overdue?.due).toMatchObject({ sessions: 1, first: new Date(NOW - 60 * DAY).toISOString() });
    expect(JSON.stringify(await reportIn(path.join(home, "projects")))).not.toContain("secret");
  });

  it("are those of as many days as its user's settings say", async () => {
    expect(await retentionOf(await withSettings({ cleanupPeriodDays: 3_650 }), 90)).toMatchObject({
      days: 3_650,
      statedIn: "cleanupPeriodDays in settings.json",
      due: { sessions: 0 },
    });
    expect(await retentionOf(await withSettings({ cleanupPeriodDays: 10 }), 9)).toMatchObject({
      days: 10,
      due: { sessions: 1 },
    });
  });

  it.each([
    [{ cleanupPeriodDays: 0 }],
    [{ cleanupPeriodDays: "10" }],
    [{ cleanupPeriodDays: -1 }],
    ["{,"],
    ["[]"],
  ])("are not known where the settings are %j: nothing is said to be due", async (settings) => {
    const retention = await retentionOf(await withSettings(settings), 90);
    expect(retention).toEqual({ rule: "deletes", statedIn: expect.stringContaining("settings.json, which") });
  });

  it("are not known where the settings are a link that leads elsewhere: nothing outside is read", async () => {
    const home = await newHome(SESSION);
    const elsewhere = await newProjects({ "settings.json": JSON.stringify({ cleanupPeriodDays: 5 }) });
    await symlink(path.join(elsewhere, "settings.json"), path.join(home, "settings.json"));
    expect(await retentionOf(home, 90)).toEqual({
      rule: "deletes",
      statedIn: "settings.json, which cannot be read",
    });
  });

  it("are none in a folder that lies elsewhere: nothing is said, and nothing around it is read", async () => {
    const files = { "settings.json": "{}", "history.jsonl": lines({ sessionId: "x", display: "a" }) };
    const home = await newHome({ "copied/p/a.jsonl": lines(userRecord(1, 0, "a")), ...files });
    const report = await reportIn(path.join(home, "copied"));
    expect(report).not.toHaveProperty("retention");
    expect(report.goneCount).toBe(0);
    const bare = await newHome(SESSION);
    expect(await retentionOf(bare, 90)).toBeUndefined();
  });
});

describe("sessions that are gone", () => {
  const prompt = (sessionId: string | undefined, display: string, second: number, more: object = {}) => ({
    display,
    pastedContents: {},
    timestamp: Date.parse(at(second)),
    project: "/home/ada/shop.x",
    sessionId,
    ...more,
  });

  it("are those that the history of prompts names, with what it knows of them", async () => {
    const home = await newHome({
      "projects/-home-ada-shop-x/here.jsonl": lines(userRecord(1, 0, "a")),
      "history.jsonl": `${lines(
        prompt("gone", "Count the\n apples", 1),
        prompt("here", "Hello", 2),
        prompt("gone", "And the pears", 3),
        prompt(undefined, "of an old version", 4),
        prompt("only-local", "/exit", 5),
        prompt("by-command", "/review-code now", 6, { project: "/".repeat(300) }),
      )}{"cut`,
    });
    const report = await reportIn(path.join(home, "projects"));
    expect(report.gone).toEqual([
      {
        sessionId: "by-command",
        title: "/review-code now",
        directory: "/".repeat(300),
        lastActive: at(6),
        namedIn: "history.jsonl",
      },
      {
        sessionId: "gone",
        tenantId: "-home-ada-shop-x",
        title: "Count the apples",
        directory: "/home/ada/shop.x",
        lastActive: at(3),
        namedIn: "history.jsonl",
      },
    ]);
    expect(report.goneCount).toBe(2);
  });

  it("come to be when their files go", async () => {
    const home = await newHome({
      "projects/p/a.jsonl": lines(userRecord(1, 0, "a")),
      "projects/p/b.jsonl": lines(userRecord(2, 0, "b")),
      "history.jsonl": lines(prompt("a", "Hello", 1), prompt("b", "Hello", 1)),
    });
    const source = openHistories(path.join(home, "projects"));
    expect((await reportOf(source)).goneCount).toBe(0);
    await rm(path.join(home, "projects/p/b.jsonl"));
    const after = await reportOf(source);
    expect([after.sessions, after.gone.map(({ sessionId }) => sessionId)]).toEqual([1, ["b"]]);
  });

  it("are shown to those alone who may see their tenant", async () => {
    const home = await newHome({
      "projects/p/a.jsonl": lines(userRecord(1, 0, "a")),
      "history.jsonl": lines(prompt("x", "Hello", 1), prompt("y", "Hello", 1, { project: undefined })),
    });
    const source = openHistories(path.join(home, "projects"));
    const goneFor = async (...tenants: string[]) => {
      const { sources } = await listSources(source, { tenants });
      return sources.flatMap(({ gone }) => gone.map(({ sessionId }) => sessionId));
    };
    expect(await goneFor("p")).toEqual([]);
    expect(await goneFor("p", "-home-ada-shop-x")).toEqual(["x"]);
    expect((await reportOf(source)).gone.map(({ sessionId }) => sessionId).sort()).toEqual(["x", "y"]);
  });

  it("are not known where the history is no file, or cannot be followed", async () => {
    const home = await newHome({ "projects/p/a.jsonl": lines(userRecord(1, 0, "a")), "settings.json": "{}" });
    await mkdir(path.join(home, "history.jsonl"));
    expect(await reportIn(path.join(home, "projects"))).toMatchObject({ goneCount: 0, sessions: 1 });
    await rm(path.join(home, "history.jsonl"), { recursive: true });
    await writeFile(path.join(home, "history.jsonl"), "\u0000\n[]\n7\nnull\n{}\n");
    expect(await reportIn(path.join(home, "projects"))).toMatchObject({ goneCount: 0, sessions: 1 });
  });
});
