import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import { createPostgresDataSource, createPostgresSessionStore, migratePostgres } from "../../src/postgres.js";
import { generateSessions } from "../support/generated-sessions.js";
import { explainable, LoggingPool } from "../support/logging-pool.js";
import { expectManyWriters } from "../support/many-writers.js";
import { describePostgresContract } from "../support/postgres-contract.js";
import { TABLES } from "../support/postgres-database.js";
import { type ShardedServers, scalingSql, startShardedServers } from "../support/sharded-postgres.js";

const TENANTS = Array.from({ length: 12 }, (_, tenant) => `tenant-${tenant}`);

let servers: ShardedServers;
const run = (sql: string) => servers.front.server.run(sql, servers.front.url);
const empty = async () => {
  await run(`TRUNCATE ${TABLES.map((table) => `agent_inspector.${table}`).join(", ")}`);
};
const database = {
  get connectionString() {
    return servers.front.url;
  },
  empty,
};

const messageOf = (tenantId: string) => ({ role: "user", content: `I am ${tenantId} é 😀` });

async function writeTenants(connectionString: string): Promise<void> {
  const store = createPostgresSessionStore({ connectionString });
  for (const tenantId of TENANTS)
    await store.appendMessages({ tenantId, sessionId: "s1" }, [messageOf(tenantId)]);
  await store.close?.();
}

async function withSource<T>(work: (source: InspectorDataSource) => Promise<T>): Promise<T> {
  const source = createPostgresDataSource({ connectionString: servers.front.url });
  try {
    return await work(source);
  } finally {
    await source.close?.();
  }
}

beforeAll(async () => {
  servers = await startShardedServers(writeTenants);
}, 120_000);
afterAll(() => servers.stop());

describe("A database that is distributed over three servers", () => {
  it("keeps what it held before, each tenant on one of them", async () => {
    await withSource(async (source) => {
      expect(new Set((await source.listSessions()).map(({ tenantId }) => tenantId))).toEqual(
        new Set(TENANTS),
      );
      for (const tenantId of TENANTS)
        expect(await source.loadMessages(tenantId, "s1")).toEqual([messageOf(tenantId)]);
    });
    const held = await Promise.all(
      servers.shards.map(async ({ server, url }) =>
        (await server.run("SELECT DISTINCT tenant_id FROM agent_inspector.messages", url)).map(
          ({ tenant_id }) => tenant_id as string,
        ),
      ),
    );
    expect(held.flat().toSorted()).toEqual(TENANTS.toSorted());
    for (const tenants of held) expect(tenants).not.toHaveLength(0);
    const [here] = await run(
      "SELECT count(*)::int AS tables FROM pg_class WHERE relname = ANY('{sessions,messages}') AND relkind = 'r'",
    );
    expect(here).toEqual({ tables: 0 });
  });

  it("is migrated as one database is, the servers first", async () => {
    const added = "ALTER TABLE agent_inspector.sessions ADD COLUMN later text";
    for (const { server, url } of [...servers.shards, servers.front]) {
      expect(await migratePostgres({ connectionString: url })).toEqual({ from: 1, to: 1 });
      await server.run(added, url);
    }
    await writeTenants(servers.front.url);
    await withSource(async (source) => {
      expect(await source.loadMessages("tenant-1", "s1")).toHaveLength(2);
    });
  });

  it("is written to by many processes at once, to the same sessions, and no record is lost, doubled or misplaced", async () => {
    await empty();
    await expectManyWriters({ writeTo: servers.front.url });
  });
});

describe("What the server in front asks of the others", () => {
  const tenant = "tenant-7";
  let pool: pg.Pool;
  let logging: LoggingPool;
  let source: InspectorDataSource;

  beforeAll(async () => {
    await empty();
    await run(generateSessions(20_000, 2, 300));
    for (const { url } of [...servers.shards, servers.front])
      await migratePostgres({ connectionString: url, searchIndex: true });
    pool = new pg.Pool({ connectionString: servers.front.url });
    pool.on("error", () => {}); // connections that are still being closed when the server stops
    logging = new LoggingPool(pool);
    source = createPostgresDataSource({ pool: logging });
  }, 300_000);
  afterAll(() => pool.end());

  interface PlanNode {
    readonly "Node Type": string;
    readonly "Remote SQL"?: string;
    readonly Plans?: readonly PlanNode[];
  }
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

  /** Without the check of the schema. */
  async function planOf(work: () => Promise<unknown>, pick = (texts: string[]) => texts.at(-1)!) {
    logging.statements.length = 0;
    await work();
    const asked = logging.statements.filter(({ text }) => /agent_inspector\.(?!migrations)/.test(text));
    const wanted = pick(asked.map(({ text }) => text));
    const { text, values = [] } = asked.find((one) => one.text === wanted)!;
    const { rows } = await pool.query(`EXPLAIN (VERBOSE, FORMAT JSON) ${explainable(text)}`, [...values]);
    const [{ Plan }] = rows[0]["QUERY PLAN"] as [{ Plan: PlanNode }];
    const nodes = flatten(Plan);
    return {
      kinds: nodes.map((node) => node["Node Type"]),
      remote: nodes.flatMap((node) => node["Remote SQL"] ?? []),
    };
  }

  it.each(["page-of-all", "page-of-tenant", "count"])("is what docs/scaling.md shows: %s", async (name) => {
    const rows = await run(await scalingSql(`${name}.sql`, servers.shards));
    const lines = rows.map((row) => String(row["QUERY PLAN"])).filter((line) => !line.includes("Output: "));
    expect(`${lines.join("\n")}\n`).toBe(await scalingSql(`${name}.plan`, servers.shards));
  });

  it("is, for a page of all, a page of each in the order of its index, and they are merged", async () => {
    const { kinds, remote } = await planOf(() => source.findSessions!({ limit: 50 }));
    expect(kinds).toEqual(["Limit", "Merge Append", "Foreign Scan", "Foreign Scan", "Foreign Scan"]);
    for (const sql of remote)
      expect(sql).toMatch(/ORDER BY last_active DESC NULLS FIRST, place ASC NULLS LAST$/);
  });

  it("is, for a page that is filtered and goes on behind another, the same with the conditions", async () => {
    const after = { lastActive: "2026-01-15T14:00:00.000Z", tenantId: tenant, sessionId: "session-7" };
    const { kinds, remote } = await planOf(() =>
      source.findSessions!({ userId: "user-7", text: "title", after, limit: 50 }),
    );
    expect(kinds).toEqual(["Limit", "Merge Append", "Foreign Scan", "Foreign Scan", "Foreign Scan"]);
    for (const sql of remote)
      for (const condition of ["user_id =", "strpos(search", "place >", "ORDER BY"])
        expect(sql).toContain(condition);
  });

  it("is, for a page of a tenant, a page of the one that has it", async () => {
    const { kinds, remote } = await planOf(() => source.findSessions!({ tenantId: tenant, limit: 50 }));
    expect(kinds).toEqual(["Limit", "Foreign Scan"]);
    expect(remote[0]).toMatch(/WHERE \(\(tenant_id = '?\S+\)\) ORDER BY last_active DESC/);
  });

  it.each([
    ["the row of a session", () => source.openSession!(tenant, "session-7"), "session_id =", 1],
    // Reads beside them that the session is still the same.
    ["the keys of a trace", () => source.loadTraceEnvelopes(tenant, "session-7"), "sequence", 2],
    ["the records of a trace", () => source.loadTraceEnvelopes(tenant, "session-7"), "record", 2],
  ])("is, for %s, asked of the one that has the tenant alone", async (_, work, named, queries) => {
    const { remote } = await planOf(work, (texts) => texts.findLast((text) => text.includes(named))!);
    expect(remote).toHaveLength(queries);
    for (const sql of remote) {
      expect(sql).toContain("session_id = 'session-7'");
      expect(sql).toMatch(/tenant_id = '\S+'/);
    }
  });

  it("locks and updates a session's row on the one that has it", async () => {
    const store = createPostgresSessionStore({ pool: logging });
    const append = () => store.appendMessages({ tenantId: tenant, sessionId: "session-7" }, [{ n: 1 }]);
    const lock = await planOf(append, (texts) => texts.find((text) => text.includes("FOR UPDATE"))!);
    expect(lock.remote).toEqual([expect.stringMatching(/session_id = 'session-7'\)\) FOR UPDATE$/)]);
    const update = await planOf(append, (texts) => texts.find((text) => text.startsWith("UPDATE"))!);
    expect(update.kinds).toEqual(["ModifyTable", "Foreign Scan"]);
    expect(update.remote).toEqual([expect.stringMatching(/^UPDATE \S+ SET revision = \(revision \+ 1\)/)]);
    await store.close?.();
  });

  it("is, for a search of texts, how many sessions each has by tenant, and what its own index names", async () => {
    const query = { kind: "text", text: "call-1", isExact: true } as const;
    const rare = { ...query, text: "no such text anywhere" };
    const search = (asked: typeof query | typeof rare) => () =>
      source.searchRecords!({ query: asked, limit: 10, budgetMs: 60_000 });
    const counted = await planOf(
      search(query),
      (texts) => texts.find((text) => text.includes("sum(sessions)"))!,
    );
    expect(counted.remote).toHaveLength(3);
    for (const sql of counted.remote) expect(sql).toMatch(/^SELECT count\(\*\), tenant_id .* GROUP BY 2$/);
    const indexed = await planOf(
      search(rare),
      (texts) => texts.find((text) => text.includes("lower(record)"))!,
    );
    expect(indexed.remote).toHaveLength(18);
    expect(indexed.remote.filter((sql) => /lower\(record\) ~~/.test(sql))).toHaveLength(9);
    const walked = await planOf(search(query), (texts) => texts.find((text) => text.includes("AS records"))!);
    const ofSession = walked.remote.filter((sql) => !sql.includes("ORDER BY"));
    expect(ofSession).toHaveLength(9);
    for (const sql of ofSession)
      expect(sql).toMatch(/tenant_id = \$1::text\)\) AND \(\(session_id = \$2::text\)\) AND .*record ~/);
    expect((await search(query)()).candidates).toHaveLength(10);
    expect(await search(rare)()).toMatchObject({ candidates: [], total: { sessions: 20_000 } });
  });
});

describe("The contracts", () => {
  beforeEach(empty);
  describePostgresContract(" over three servers", database);
});
