import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { createInspectorRoute } from "../../src/composition/threaded-inspector.js";
import type { InspectorDataSource } from "../../src/index.js";
import { combineDataSources } from "../../src/index.js";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { expectManyWriters } from "../support/many-writers.js";
import { TABLES } from "../support/postgres-database.js";
import {
  type ShardedServers,
  scalingSql,
  startAgentsServer,
  startShardedServers,
} from "../support/sharded-postgres.js";

const TENANTS = Array.from({ length: 24 }, (_, tenant) => `tenant-${tenant}`);
const message = { role: "user", content: "hello" };

let servers: ShardedServers;
const run = (sql: string) => servers.front.server.run(sql, servers.front.url);

async function tenantsOf(shard: number): Promise<string[]> {
  const { server, url } = servers.shards[shard]!;
  const rows = await server.run("SELECT tenant_id FROM agent_inspector.sessions ORDER BY 1", url);
  return rows.map(({ tenant_id }) => tenant_id as string);
}

async function writeTenants(connectionString: string): Promise<void> {
  const store = createPostgresSessionStore({ connectionString });
  for (const tenantId of TENANTS) await store.appendMessages({ tenantId, sessionId: "s1" }, [message]);
  await store.close?.();
}

function closed<T extends { close?(): Promise<void> }>(one: T): T {
  onTestFinished(() => one.close?.());
  return one;
}

function serve(source: InspectorDataSource) {
  const logged: unknown[] = [];
  const route = createInspectorRoute(source, { onError: (error) => logged.push(error) });
  const ask = async (path: string) => {
    const response = await route.request(path);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { ask, logged };
}

beforeAll(async () => {
  servers = await startShardedServers(writeTenants);
}, 120_000);
afterAll(() => servers.stop(), 120_000);

describe("When one of three servers is killed", () => {
  it("the others' tenants are read and written, whatever needs it is 503, and all goes on when it is back", async () => {
    const connectionString = servers.front.url;
    const service = serve(closed(createPostgresDataSource({ connectionString })));
    const store = closed(createPostgresSessionStore({ connectionString, retryForMs: 0 }));
    const patient = closed(createPostgresSessionStore({ connectionString, retryForMs: 60_000 }));
    const [there, gone] = [(await tenantsOf(0))[0]!, (await tenantsOf(1))[0]!];
    const messagesOf = (tenantId: string) => service.ask(`/sessions/s1/messages?tenantId=${tenantId}`);
    const all = () => service.ask("/sessions?limit=100");
    expect((await all()).body.sessions).toHaveLength(TENANTS.length);
    expect((await messagesOf(gone)).status).toBe(200);

    await servers.shards[1]!.server.kill();
    const advice = "cannot reach one of the servers that hold parts of its tables";
    // An open connection breaks first; the server refuses the next one.
    await expect.poll(async () => (await all()).body.detail).toContain(advice);
    expect((await all()).status).toBe(503);
    expect(await messagesOf(gone)).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining(advice) },
    });
    expect(service.logged.at(-1)).toMatchObject({ cause: { message: expect.stringContaining("08001") } });
    await expect(store.appendMessages({ tenantId: gone, sessionId: "s1" }, [message])).rejects.toThrow(
      advice,
    );
    const waiting = patient.appendMessages({ tenantId: gone, sessionId: "s1" }, [message]);

    expect(await messagesOf(there)).toMatchObject({ status: 200, body: { messages: [message] } });
    expect((await service.ask(`/sessions?tenantId=${there}`)).body.sessions).toHaveLength(1);
    expect((await service.ask(`/sessions/s1/summary?tenantId=${there}`)).status).toBe(200);
    expect(await service.ask(`/search?q=hello&tenantId=${there}`)).toMatchObject({
      status: 200,
      body: { hits: [{}] },
    });
    // With access to that tenant alone, too.
    const tenants = [there];
    const source = closed(createPostgresDataSource({ connectionString }));
    expect((await source.findSessions!({ tenants, limit: 100 })).items).toHaveLength(1);
    const query = { kind: "text", text: "hello", isExact: true } as const;
    const found = await source.searchRecords!({ query, tenants, limit: 100, budgetMs: 30_000 });
    expect(found.candidates).toHaveLength(1);
    await store.appendMessages({ tenantId: there, sessionId: "s1" }, [message]);
    expect((await messagesOf(there)).body.messages).toHaveLength(2);

    await servers.shards[1]!.server.start();
    await waiting;
    expect((await all()).body.sessions).toHaveLength(TENANTS.length);
    expect((await messagesOf(gone)).body.messages).toHaveLength(2);
  });

  it("processes that write wait for it, and lose and double nothing", async () => {
    await expectManyWriters({
      writeTo: servers.front.url,
      meanwhile: () => servers.shards[1]!.server.killAndRestart(),
      isExpected: (error) => error instanceof SourceUnavailableError,
    });
    for (const table of TABLES)
      await run(`DELETE FROM agent_inspector.${table} WHERE session_id LIKE 'session-%'`);
  });

  it("sources of their own, combined, list what the others hold, and say which is missing", async () => {
    const sources = servers.shards.map(({ url }, shard) => ({
      key: `shard-${shard}`,
      source: createPostgresDataSource({ connectionString: url }),
    }));
    const failures: string[] = [];
    const combined = combineDataSources(sources, { onError: (_, { key }) => failures.push(key) });
    const service = serve(closed(combined));
    const whole = await service.ask("/sessions?limit=100");
    expect(whole.body.sessions).toHaveLength(TENANTS.length);
    await servers.shards[2]!.server.kill();
    const rest = await service.ask("/sessions?limit=100");
    await servers.shards[2]!.server.start();
    expect(rest.status).toBe(200);
    expect(rest.body.sessions).toHaveLength((await tenantsOf(0)).length + (await tenantsOf(1)).length);
    expect(rest.body.warnings).toMatchObject([
      { file: "shard-2", reason: expect.stringContaining("cannot be read just now") },
    ]);
    expect(failures).toContain("shard-2");
  });
});

describe("A second server in front", () => {
  it("is made by the same SQL, and both write to one session without losing or doubling a record", async () => {
    const second = await startAgentsServer();
    onTestFinished(() => second.server.stop());
    const asOwner = Object.assign(new URL(second.server.url), { pathname: "/agents" }).href;
    await second.server.run(await scalingSql("servers.sql", servers.shards), asOwner);
    await second.server.run(await scalingSql("distribute.sql", servers.shards), second.url);
    const key = { tenantId: TENANTS[0]!, sessionId: "of both" };
    const writings = [servers.front.url, second.url].map(async (connectionString, front) => {
      const store = closed(createPostgresSessionStore({ connectionString }));
      for (let n = 0; n < 100; n++) await store.appendMessages(key, [{ front, n }]);
    });
    await Promise.all(writings);
    const source = closed(createPostgresDataSource({ connectionString: second.url }));
    const messages = (await source.loadMessages(key.tenantId, key.sessionId)) as unknown as {
      front: number;
      n: number;
    }[];
    for (const front of [0, 1])
      expect(messages.filter((one) => one.front === front).map(({ n }) => n)).toEqual(
        Array.from({ length: 100 }, (_, n) => n),
      );
    const firsts = closed(createPostgresDataSource({ connectionString: servers.front.url }));
    expect(await firsts.loadMessages(key.tenantId, key.sessionId)).toEqual(messages);
    await run(`DELETE FROM agent_inspector.sessions WHERE session_id = 'of both'`);
    await run(`DELETE FROM agent_inspector.messages WHERE session_id = 'of both'`);
  });
});

describe("A fourth server", () => {
  it("takes half of the first one's tenants, and everything is there once", async () => {
    const before = await tenantsOf(0);
    const fourth = await startAgentsServer();
    onTestFinished(() => fourth.server.stop());
    const shards = [...servers.shards, fourth];
    const asOwner = Object.assign(new URL(servers.front.server.url), { pathname: "/agents" }).href;
    await servers.front.server.run(await scalingSql("fourth-server.sql", shards), asOwner);
    await run(await scalingSql("copy-half.sql", shards));
    await run(await scalingSql("use-half.sql", shards));
    const moved = (await fourth.server.run("SELECT tenant_id FROM agent_inspector.sessions", fourth.url)).map(
      ({ tenant_id }) => tenant_id as string,
    );
    expect(moved).not.toHaveLength(0);
    expect([...(await tenantsOf(0)), ...moved].toSorted()).toEqual(before.toSorted());
    await writeTenants(servers.front.url);
    const source = closed(createPostgresDataSource({ connectionString: servers.front.url }));
    expect((await source.listSessions()).map(({ tenantId }) => tenantId).toSorted()).toEqual(
      TENANTS.toSorted(),
    );
    for (const tenantId of before)
      expect((await source.loadMessages(tenantId, "s1")).length).toBeGreaterThanOrEqual(2);
  });
});
