import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryDataSource } from "../../src/adapters/memory/memory-data-source.js";
import { MemoryState } from "../../src/adapters/memory/memory-state.js";
import { ListSessions } from "../../src/application/questions/list-sessions.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { parseFilter } from "../../src/domain/filter/parse-filter.js";
import { TimeZone } from "../../src/domain/trace/time-zone.js";
import type { InspectorDataSource, SessionStore } from "../../src/index.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
  migratePostgres,
} from "../../src/postgres.js";
import { generateSessions } from "../support/generated-sessions.js";
import { explainable, LoggingPool } from "../support/logging-pool.js";
import { TABLES, useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

let pool: pg.Pool;
let logging: LoggingPool;
let source: InspectorDataSource;
let store: SessionStore;

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: database.connectionString });
  pool.on("error", () => {}); // connections that are still being closed when the server stops
  logging = new LoggingPool(pool);
  source = createPostgresDataSource({ pool: logging });
  store = createPostgresSessionStore({ pool: logging });
});
afterAll(() => pool.end());

/** Plans under the settings of each transaction. */
async function plansOf(work: () => Promise<unknown>): Promise<{ text: string; nodes: PlanNode[] }[]> {
  logging.statements.length = 0;
  await work();
  const plans: { text: string; nodes: PlanNode[] }[] = [];
  let settings = "";
  for (const { text, values = [] } of [...logging.statements]) {
    if (text.startsWith("BEGIN")) settings = "";
    const off = [...text.matchAll(/set_config\('(\w+)', 'off', true\)/g)];
    settings += off.map(([, name]) => `SET LOCAL ${name} = off;`).join("");
    const statement = explainable(text);
    if (!/^(SELECT|UPDATE|INSERT)/.test(statement) || !/agent_inspector\.(?!migrations)/.test(statement))
      continue;
    const client = await pool.connect();
    const types = { getTypeParser: () => (plan: string) => plan };
    await client.query(`BEGIN; ${settings}`);
    const { rows } = await client.query({
      text: `EXPLAIN (FORMAT JSON) ${statement}`,
      values: [...values],
      types,
    });
    await client.query("ROLLBACK");
    client.release();
    const [{ Plan }] = JSON.parse((rows[0] as Record<string, string>)["QUERY PLAN"]!) as [{ Plan: PlanNode }];
    plans.push({ text: statement, nodes: flatten(Plan) });
  }
  return plans;
}

/** Generic plans of prepared statements, without their values. */
async function keptPlansOf(work: () => Promise<unknown>): Promise<{ text: string; nodes: PlanNode[] }[]> {
  logging.statements.length = 0;
  await work();
  const plans: { text: string; nodes: PlanNode[] }[] = [];
  for (const { text, values = [], name } of [...logging.statements]) {
    if (name === undefined) continue;
    const literals = values.map((value) =>
      value instanceof Buffer ? `'\\x${value.toString("hex")}'` : pg.escapeLiteral(String(value)),
    );
    const given = literals.length === 0 ? "" : `(${literals.join(", ")})`;
    const client = await pool.connect();
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE kept AS ${text}`);
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE kept${given}`);
    client.release(true);
    const [{ Plan }] = (rows[0] as Record<string, [{ Plan: PlanNode }]>)["QUERY PLAN"]!;
    plans.push({ text, nodes: flatten(Plan) });
  }
  return plans;
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function expectIndexes(plans: readonly { text: string; nodes: readonly PlanNode[] }[]): void {
  expect(plans.length).toBeGreaterThan(0);
  for (const { text, nodes } of plans) {
    const scans = nodes.filter(
      (node) => node["Node Type"].includes("Scan") && node["Relation Name"] !== undefined,
    );
    for (const scan of scans)
      expect(scan["Node Type"], `${text}\n${JSON.stringify(nodes)}`).not.toBe("Seq Scan");
    if (!text.startsWith("INSERT"))
      expect(
        nodes.some((node) => node["Index Name"] !== undefined),
        text,
      ).toBe(true);
  }
}

describe("Every query", () => {
  it("goes through an index", async () => {
    await database.run(generateSessions(20_000, 1, 300));
    await database.run(`INSERT INTO agent_inspector.trace_envelopes
      SELECT 'tenant-1', 'session-1', n, gen_random_uuid(), 2, 't1', n, n, '{}', NULL FROM generate_series(1, 20000) AS n;
      UPDATE agent_inspector.sessions SET trace_size = 20001 WHERE tenant_id = 'tenant-1' AND session_id = 'session-1'`);
    for (const table of ["messages", "orchestration_events", "session_log"]) {
      await database.run(`INSERT INTO agent_inspector.${table}
        SELECT 'tenant-' || n % 50, 'session-' || n, 0, gen_random_uuid(), 2, '{}', NULL FROM generate_series(1, 20000) AS n`);
    }
    await database.run(`INSERT INTO agent_inspector.orchestration_checkpoints
      SELECT 'tenant-' || n % 50, 'session-' || n, 0, 0, '{}' FROM generate_series(1, 20000) AS n`);
    await database.run(TABLES.map((table) => `ANALYZE agent_inspector.${table}`).join("; "));

    const after = { lastActive: "2026-01-15T13:00:00.000Z", tenantId: "tenant-0", sessionId: "session-3600" };
    for (const filters of [
      {},
      { tenantId: "tenant-7" },
      { userId: "user-7" },
      { tenantId: "tenant-7", userId: "user-7" },
      { status: "error" as const },
      { status: "running" as const },
      { status: "idle" as const },
      { text: "title 77" },
    ]) {
      for (const place of [undefined, after]) {
        const search = { ...filters, after: place, limit: 50 };
        const plans = await plansOf(() => source.findSessions!(search));
        expect(plans).toHaveLength(1);
        expectIndexes(plans);
        // One user of a tenant may have so few sessions that a sort is the cheapest.
        if (filters.tenantId !== undefined && filters.userId !== undefined) continue;
        for (const { text, nodes } of plans) {
          expect(
            nodes.map((node) => node["Node Type"]),
            text,
          ).not.toContain("Sort");
        }
      }
    }
    for (const filters of [
      {},
      { tenantId: "tenant-7" },
      { userId: "user-7" },
      { status: "error" as const },
    ]) {
      const search = { ...filters, after, limit: 50 };
      const plans = await keptPlansOf(() => source.findSessions!(search));
      expect(plans).toHaveLength(1);
      expectIndexes(plans);
      for (const { text, nodes } of plans) {
        expect(
          nodes.map((node) => node["Node Type"]),
          text,
        ).not.toContain("Sort");
      }
    }
    for (const place of [undefined, after]) {
      const search = { tenants: ["tenant-7", "tenant-8"], after: place, limit: 50 };
      const plans = await plansOf(() => source.findSessions!(search));
      expectIndexes(plans);
      const scans = plans.flatMap(({ nodes }) => nodes.filter((node) => node["Index Name"] !== undefined));
      expect(scans.map((scan) => scan["Index Name"])).toStrictEqual(["sessions_of_tenant"]);
    }
    const byFilter = [
      ["tenant:tenant-7 after:2026-01-15T13:00:00Z", ["sessions_of_folded_tenant", "sessions_of_folder"]],
      ["tenant:acme model:opus", ["sessions_of_folded_tenant", "sessions_of_folder"]],
      ["errors:>2", ["sessions_with_errors"]],
      ["after:2026-01-15T17:00:00Z", ["sessions_by_activity"]],
    ] as const;
    for (const [text, indexes] of byFilter) {
      const { filter } = parseFilter(text, { now: 0, zone: TimeZone.named("UTC")! });
      const plans = await plansOf(() => source.findSessions!({ filter, limit: 50 }));
      expectIndexes(plans);
      const names = plans.flatMap(({ nodes }) => nodes.flatMap((node) => node["Index Name"] ?? []));
      expect(names.sort(), text).toStrictEqual(indexes);
    }
    expectIndexes(await plansOf(() => source.findSessions!({ activeFrom: Date.UTC(2026, 0, 15, 17) })));
    expectIndexes(await plansOf(() => new ListSessions(source).execute({ window: { limit: 10 } })));

    const ids = ["tenant-1", "session-1"] as const;
    expect(await plansOf(() => source.openSession!(...ids))).toHaveLength(1);
    const reads: (() => Promise<unknown>)[] = [
      () => source.openSession!(...ids),
      () => source.loadTraceEnvelopes(...ids),
      () => source.loadMessages(...ids),
      () => source.loadOrchestrationEvents(...ids),
      () => source.loadOrchestrationState(...ids),
      async () => {
        const trace = await (await source.openSession!(...ids))!.trace();
        const positions = Uint32Array.of(20_000, 3, 9_000, 12);
        for await (const batch of trace.read({ positions, from: 0, to: 4 })) expect(batch.size).toBe(4);
      },
    ];
    for (const read of reads) expectIndexes(await plansOf(read));

    const key = { tenantId: "tenant-1", sessionId: "session-1" };
    const state = new MemoryState();
    state.open(key.tenantId, key.sessionId, 0);
    const known = asDataSource(new MemoryDataSource(state));
    expectIndexes(await plansOf(() => importIntoPostgres(known, { pool: logging })));
    const envelope = {
      ...key,
      id: "e1",
      timestamp: "",
      sequence: 0,
      source: "runtime" as const,
      traceId: "t1",
    };
    const write = () => store.appendTraceEnvelopes(key, [{ ...envelope, event: { type: "x" } }]);
    expectIndexes(await plansOf(write));
    const repeated = await plansOf(write);
    expect(repeated.some(({ text }) => text.includes("record_key = ANY"))).toBe(true);
    expectIndexes(repeated);
  }, 120_000);

  it("of a search for a text is served by the index of texts, or by each session's records", async () => {
    await database.run(generateSessions(5_000, 1, 300));
    for (const table of ["messages", "orchestration_events"]) {
      await database.run(`INSERT INTO agent_inspector.${table}
        SELECT tenant_id, session_id, position, record_key, bytes, record FROM agent_inspector.trace_envelopes;
        ANALYZE agent_inspector.${table}`);
    }
    await migratePostgres({ connectionString: database.connectionString, searchIndex: true });
    for (const tenants of [undefined, ["tenant-7", "tenant-8", "tenant-9"]]) {
      // Every record has parts of the text; none has all of it.
      const query = { kind: "text", text: "runtime tool.end zqxjk", isExact: false } as const;
      const plans = await plansOf(() =>
        source.searchRecords!({ query, tenants, limit: 10, budgetMs: 30_000 }),
      );
      const used = (part: string) =>
        plans
          .filter(({ text }) => text.includes(part))
          .map(
            ({ nodes }) =>
              new Set(nodes.map((node) => node["Index Name"]).filter((name) => name !== undefined)),
          );
      expect(used("UNION ALL")).toEqual([
        new Set(
          ["", "odd_"].flatMap((kind) =>
            ["trace_envelopes", "messages", "orchestration_events"].map((table) => `search_${kind}${table}`),
          ),
        ),
      ]);
      const portions = used("AS next");
      expect(portions.length).toBeGreaterThan(1);
      for (const names of portions) {
        expect(names).toContain(tenants === undefined ? "sessions_by_activity" : "sessions_of_tenant");
        const ofRecords =
          /^(trace_envelopes|messages|orchestration_events)_(pkey|tenant_id_session_id_record_key_key)$/;
        expect([...names].filter((name) => ofRecords.test(name))).toHaveLength(3);
        expect(names.size).toBe(4);
      }
    }
  }, 120_000);
});
