import { describe, expect, it, onTestFinished } from "vitest";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { PARTITIONS, partitionByTenant } from "../support/partitions.js";
import { TABLES, useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

describe("The tables, distributed by tenant", () => {
  it("are written, listed and read as the whole ones are, and a tenant lies in one part", async () => {
    await partitionByTenant(database.run);
    const { connectionString } = database;
    const store = createPostgresSessionStore({ connectionString });
    const source = createPostgresDataSource({ connectionString });
    onTestFinished(async () => {
      await store.close?.();
      await source.close?.();
    });
    const tenants = Array.from({ length: 12 }, (_, tenant) => `tenant-${tenant}`);
    let now = Date.UTC(2026, 0, 15, 12);
    const recorder = new SessionRecorder(store, {
      clock: { now: () => now++, newId: () => crypto.randomUUID() },
    });
    for (const tenantId of tenants) {
      const session = await recorder.open({ tenantId, sessionId: "s1" });
      const trace = session.startTrace();
      await trace.record({ type: "turn.start", turnIndex: 0 });
      await trace.record({ type: "turn.end", turnIndex: 0, outcome: "completed" });
      await session.appendMessages([{ role: "user", content: tenantId }]);
      await session.recordOrchestration({ type: "agent_spawned", agent: { id: "a1" } });
      await session.recordTurn({ inputTokens: 1 });
    }
    const newestFirst = [...tenants].reverse();
    expect((await source.listSessions()).map(({ tenantId }) => tenantId)).toEqual(newestFirst);
    const page = await source.findSessions!({ limit: 5 });
    expect(page.items.map(({ tenantId }) => tenantId)).toEqual(newestFirst.slice(0, 5));
    for (const tenantId of tenants) {
      expect(await source.loadTraceEnvelopes(tenantId, "s1")).toHaveLength(2);
      expect(await source.loadMessages(tenantId, "s1")).toEqual([{ role: "user", content: tenantId }]);
      expect(await source.loadOrchestrationEvents(tenantId, "s1")).toHaveLength(1);
    }
    const query = { kind: "text", text: "tenant-7", isExact: true } as const;
    const found = await source.searchRecords!({ query, limit: 10, budgetMs: 30_000 });
    expect(found.candidates.map(({ tenantId }) => tenantId)).toEqual(["tenant-7"]);
    const parts = await database.run(
      `SELECT tenant_id, count(DISTINCT part)::int AS parts FROM (${TABLES.map(
        (table) =>
          `SELECT tenant_id, right(tableoid::regclass::text, 2) AS part FROM agent_inspector.${table}`,
      ).join(" UNION ALL ")}) AS placed GROUP BY tenant_id`,
    );
    expect(parts).toHaveLength(tenants.length);
    expect(parts.filter((tenant) => tenant.parts !== 1)).toEqual([]);
    const used = await database.run(
      "SELECT count(DISTINCT tableoid)::int AS used FROM agent_inspector.trace_envelopes",
    );
    expect(used).toEqual([{ used: PARTITIONS }]);
  });
});
