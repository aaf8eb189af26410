import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { streamOf } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { keysOfEnvelopes } from "../../src/domain/trace/trace-sequence-merge.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { createPostgresDataSource, type ImportOptions, importIntoPostgres } from "../../src/postgres.js";
import { assistantRecord, lines, newProjects, userRecord } from "../claude-code/support/projects.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { inspect } from "../support/inspector.js";
import { sharedThread } from "../support/pools.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();
const pool = sharedThread();

const text = (words: string) => [{ type: "text", text: words }];
const said = (n: number) => [
  userRecord(2 * n + 1, 2 * n, `Question ${n}`),
  assistantRecord(2 * n + 2, 2 * n + 1, `m${n}`, text(`Answer ${n}`)),
];

function claudeCode(root: string): InspectorDataSource {
  const source = createClaudeCodeDataSource(root, { pool });
  onTestFinished(() => source.close?.());
  return source;
}

function stored(): InspectorDataSource {
  const source = createPostgresDataSource({ connectionString: database.connectionString });
  onTestFinished(() => source.close?.());
  return source;
}

const copy = (source: InspectorDataSource, options: ImportOptions = {}) =>
  importIntoPostgres(source, { connectionString: database.connectionString, ...options });

async function writtenRows(): Promise<Map<string, string>> {
  const tables = {
    sessions: "''",
    trace_envelopes: "position",
    messages: "position",
    orchestration_events: "position",
    session_log: "position",
  };
  const selects = Object.entries(tables).map(
    ([table, place]) =>
      `SELECT concat_ws(' ', '${table}', tenant_id, session_id, ${place}) AS row, xmin::text AS by FROM agent_inspector.${table}`,
  );
  const rows = await database.run(selects.join(" UNION ALL "));
  return new Map(rows.map(({ row, by }) => [String(row), String(by)]));
}

async function writtenSince(before: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = [...(await writtenRows())];
  return rows.flatMap(([row, by]) => (before.get(row) === by ? [] : [row])).sort();
}

/** The lists are the same but for the tenants. */
async function shown(source: InspectorDataSource, prefix = ""): Promise<unknown> {
  const inspector = inspect(source);
  const { sessions } = (await inspector.ask("/sessions")).body as { sessions: InspectorSessionItem[] };
  const answers: Record<string, unknown> = {};
  for (const { tenantId, sessionId, title, turns, tokens } of sessions) {
    const query = `?tenantId=${encodeURIComponent(tenantId)}`;
    const {
      body: { envelopes },
    } = await inspector.ask(`/sessions/${sessionId}/trace${query}`);
    const {
      body: { messages },
    } = await inspector.ask(`/sessions/${sessionId}/messages${query}`);
    expect(tenantId.startsWith(prefix)).toBe(true);
    answers[`${tenantId.slice(prefix.length)} ${sessionId}`] = { title, turns, tokens, envelopes, messages };
  }
  return answers;
}

describe("An import of histories that grow", () => {
  it("writes only what was added, and nothing of a session that is the same", async () => {
    const root = await newProjects({
      "p/grows.jsonl": lines(...said(0)),
      "p/stays.jsonl": lines(...said(50)),
    });
    const first = await copy(claudeCode(root), { tenantPrefix: "laptop:" });
    expect(first).toMatchObject({ sessions: 2, totalSessions: 2, skipped: [] });
    const before = await writtenRows();
    expect(await copy(claudeCode(root), { tenantPrefix: "laptop:" })).toMatchObject({
      sessions: 2,
      records: 0,
    });
    expect(await writtenSince(before)).toEqual([]);

    await appendFile(path.join(root, "p/grows.jsonl"), lines(...said(1)));
    const { records } = await copy(claudeCode(root), { tenantPrefix: "laptop:" });
    const written = await writtenSince(before);
    expect(written.filter((row) => row.includes("stays"))).toEqual([]);
    expect(written.filter((row) => !row.startsWith("sessions"))).toHaveLength(records);
    expect(written.filter((row) => before.has(row))).toEqual(["sessions laptop:p grows "]);
    expect(await shown(stored(), "laptop:")).toEqual(await shown(claudeCode(root)));
  });

  it("writes what was added in the middle of a trace behind the others, which stay", async () => {
    const envelope = (sequence: number, traceId = "t1") => ({
      id: `${traceId}-${sequence}`,
      timestamp: new Date(1e12 + sequence).toISOString(),
      sequence,
      source: "runtime" as const,
      sessionId: "s1",
      tenantId: "acme",
      traceId,
      event: { type: "x" },
    });
    const item = {
      tenantId: "acme",
      sessionId: "s1",
      userId: "",
      lastActive: "2026-01-01T00:00:00.000Z",
      turns: 0,
      tokens: 0,
      status: "idle" as const,
    };
    const sourceOf = (envelopes: readonly ReturnType<typeof envelope>[]) =>
      handMadeSource({
        listSessions: async () => [item],
        openSession: async () =>
          handMadeSnapshot({
            trace: async () => ({ ...streamOf(envelopes), keys: keysOfEnvelopes(envelopes) }),
            messages: async () => streamOf([]),
            orchestration: async () => ({ events: streamOf([]), state: async () => null }),
          }),
      });
    const parts = [envelope(0), envelope(1), envelope(0, "t2")];
    await copy(sourceOf(parts));
    const before = await writtenRows();
    const grown = [parts[0]!, parts[1]!, envelope(2), parts[2]!, envelope(1, "t2")];
    expect(await copy(sourceOf(grown))).toMatchObject({ records: 2 });
    expect((await writtenSince(before)).filter((row) => row.startsWith("trace"))).toEqual([
      "trace_envelopes acme s1 3",
      "trace_envelopes acme s1 4",
    ]);
    expect(await shown(stored())).toEqual(await shown(sourceOf(grown)));
  });

  it.each<readonly [string, (file: string) => Promise<void>]>([
    ["shorter", (file) => writeFile(file, lines(...said(0)))],
    ["another one", (file) => writeFile(file, lines(...said(5), ...said(6), ...said(7)))],
    [
      "another one in the middle",
      async (file) => writeFile(file, (await readFile(file, "utf8")).replace("Answer 1", "Another answer")),
    ],
  ])("writes a session anew whose file is %s, and who was reading it is told", async (_, change) => {
    const root = await newProjects({ "p/s.jsonl": lines(...said(0), ...said(1), ...said(2)) });
    await copy(claudeCode(root));
    const reader = stored();
    const opened = (await reader.openSession!("p", "s"))!;
    const trace = await opened.trace();
    await change(path.join(root, "p/s.jsonl"));
    await copy(claudeCode(root));
    expect(await shown(stored())).toEqual(await shown(claudeCode(root)));
    const read = async () => {
      for await (const batch of trace.read({ from: 0, to: trace.size })) expect(batch.size).toBe(0);
    };
    await expect(read()).rejects.toThrow("while it was being read");
    expect(await shown(reader)).toEqual(await shown(claudeCode(root)));
  });

  it("keeps a session that was deleted where it came from", async () => {
    const root = await newProjects({
      "p/gone.jsonl": lines(...said(0)),
      "p/stays.jsonl": lines(...said(50)),
    });
    await copy(claudeCode(root));
    const before = await shown(stored());
    await rm(path.join(root, "p/gone.jsonl"));
    expect(await copy(claudeCode(root))).toMatchObject({ totalSessions: 1, records: 0 });
    expect(await shown(stored())).toEqual(before);
  });

  it("doubles nothing where several processes do it at once", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [
        `p/s${i}.jsonl`,
        lines(...said(10 * i + 100), ...said(10 * i + 101)),
      ]),
    );
    const root = await newProjects(files);
    for (const grown of [false, true]) {
      if (grown)
        for (const name of Object.keys(files))
          await appendFile(path.join(root, name), lines(...said(Number(/\d+/.exec(name)![0]) * 10 + 102)));
      const reports = await Promise.all([1, 2, 3].map(() => copy(claudeCode(root))));
      for (const report of reports) expect(report).toMatchObject({ sessions: 6, skipped: [] });
      expect(await shown(stored())).toEqual(await shown(claudeCode(root)));
    }
  });

  it("keeps machines apart that have the same projects and sessions", async () => {
    const roots = await Promise.all([1, 2].map((n) => newProjects({ "p/s.jsonl": lines(...said(n)) })));
    for (const [i, root] of roots.entries())
      await copy(claudeCode(root), { tenantPrefix: `m${i}:claude-code:` });
    const tenants = (await stored().listSessions()).map(({ tenantId }) => tenantId);
    expect(tenants.sort()).toEqual(["m0:claude-code:p", "m1:claude-code:p"]);
    for (const [i, root] of roots.entries()) {
      const messages = await stored().loadMessages(`m${i}:claude-code:p`, "s");
      expect(messages).toEqual(await claudeCode(root).loadMessages("p", "s"));
    }
  });
});
