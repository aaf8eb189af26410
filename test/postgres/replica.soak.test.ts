import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { createInspectorRoute } from "../../src/composition/threaded-inspector.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
} from "../../src/postgres.js";
import { PROJECT_ROOT } from "../support/build.js";
import { hasDebianPostgres, startDebianReplica, startDebianServer } from "../support/debian-postgres.js";
import { generateSessions } from "../support/generated-sessions.js";
import { expectManyWriters } from "../support/many-writers.js";
import { describePostgresContract } from "../support/postgres-contract.js";
import { TABLES } from "../support/postgres-database.js";
import type { OwnServer } from "../support/postgres-server.js";
import { type AgentsServer, agentsAt, startAgentsServer } from "../support/sharded-postgres.js";
import { snippetIn } from "../support/snippets.js";

const without = hasDebianPostgres ? "" : " (not run: Debian's package postgresql-15 is not installed)";

describe.skipIf(!hasDebianPostgres)(`A streaming replica${without}`, () => {
  let primary: AgentsServer;
  let replica: OwnServer;
  const key = { tenantId: "acme", sessionId: "s1" };

  const empty = async () => {
    const tables = TABLES.map((table) => `agent_inspector.${table}`).join(", ");
    await primary.server.run(`TRUNCATE ${tables}`, primary.url);
    await caughtUp();
  };

  async function caughtUp(): Promise<void> {
    const [now] = await primary.server.run("SELECT pg_current_wal_lsn()::text AS at");
    const isThere = `SELECT pg_last_wal_replay_lsn() >= '${now!.at}'::pg_lsn AS there`;
    await vi.waitFor(async () => expect(await replica.run(isThere)).toEqual([{ there: true }]), {
      timeout: 30_000,
    });
  }

  async function waitForReplica(waits: boolean): Promise<void> {
    const names = waits ? "*" : "";
    await primary.server.run(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await primary.server.run(`ALTER SYSTEM SET synchronous_commit = '${waits ? "remote_apply" : "on"}'`);
    await primary.server.run("SELECT pg_reload_conf()");
    await vi.waitFor(async () => {
      const [row] = await primary.server.run("SHOW synchronous_standby_names");
      expect(row).toEqual({ synchronous_standby_names: names });
    });
  }

  function openStore(connectionString: string, retryForMs?: number) {
    const store = createPostgresSessionStore({ connectionString, retryForMs });
    onTestFinished(() => store.close?.());
    return store;
  }

  function openSource() {
    const source = createPostgresDataSource({ connectionString: agentsAt(replica) });
    onTestFinished(() => source.close?.());
    return source;
  }

  beforeAll(async () => {
    primary = await startAgentsServer(startDebianServer);
    const { hostname, port, password } = new URL(primary.server.url);
    const document = await readFile(path.join(PROJECT_ROOT, "docs/scaling.md"), "utf8");
    await primary.server.run(snippetIn(document, "replicator.sql"));
    const command = snippetIn(document, "replica.sh").replace("db.internal:5432", `${hostname}:${port}`);
    replica = await startDebianReplica(command, password);
  });
  afterAll(async () => {
    await replica?.stop();
    await primary?.server.stop();
  });

  it("shows what it has received: the same ETag while it lags, another one afterwards", async () => {
    const store = openStore(primary.url);
    await store.appendMessages(key, [{ n: 1 }]);
    await caughtUp();
    const route = createInspectorRoute(openSource());
    const ask = (etag = "") =>
      route.request("/sessions/s1/messages?tenantId=acme", { headers: { "if-none-match": etag } });
    const first = await ask();
    expect(await first.json()).toMatchObject({ messages: [{ n: 1 }] });
    const etag = first.headers.get("etag")!;
    await replica.run("SELECT pg_wal_replay_pause()");
    await store.appendMessages(key, [{ n: 2 }]);
    expect((await ask(etag)).status).toBe(304);
    await replica.run("SELECT pg_wal_replay_resume()");
    await caughtUp();
    const later = await ask(etag);
    expect(later.status).toBe(200);
    expect(await later.json()).toMatchObject({ messages: [{ n: 1 }, { n: 2 }] });
    expect(later.headers.get("etag")).not.toBe(etag);
  });

  it("is no place to write to, and says so", async () => {
    const store = openStore(agentsAt(replica), 0);
    await expect(store.appendMessages(key, [{ n: 1 }])).rejects.toThrow("Write to the primary server");
    const histories = createInMemoryInspectorDataSource([{ sessionId: "imported" }]);
    const importing = importIntoPostgres(histories, { connectionString: agentsAt(replica) });
    await expect(importing).rejects.toThrow("it is a read replica");
  });

  it("is unavailable where its replay undoes a reading, and is asked again", async () => {
    await primary.server.run(generateSessions(20_000, 1, 300), primary.url);
    await caughtUp();
    await replica.run("ALTER SYSTEM SET max_standby_streaming_delay = 0");
    await replica.run("SELECT pg_reload_conf()");
    const source = openSource();
    const failures = new Set<string>();
    let isOver = false;
    const disturbing = (async () => {
      while (!isOver) await primary.server.run("VACUUM FULL agent_inspector.sessions", primary.url);
    })();
    await expect
      .poll(
        async () => {
          await source.listSessions().catch((error: unknown) => failures.add(String(error)));
          return failures.size;
        },
        { timeout: 60_000, interval: 0 },
      )
      .toBeGreaterThan(0);
    isOver = true;
    await disturbing;
    await replica.run("ALTER SYSTEM RESET max_standby_streaming_delay");
    await replica.run("SELECT pg_reload_conf()");
    for (const failure of failures)
      expect(failure).toMatch(/^SourceUnavailableError: The (database|connection)/);
    await caughtUp();
    expect(await source.listSessions()).toHaveLength(20_001);
  });

  it("shows each call that many processes make, whole and in order, and in the end every record", async () => {
    await empty();
    const readFrom = agentsAt(replica);
    await expectManyWriters({ writeTo: primary.url, readFrom, settled: caughtUp });
  });

  it("goes on showing histories while the primary is down", async () => {
    await empty();
    await openStore(primary.url).appendMessages(key, [{ n: 1 }]);
    await caughtUp();
    const source = openSource();
    await primary.server.kill();
    expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 1 }]);
    await primary.server.start();
    await openStore(primary.url).appendMessages(key, [{ n: 2 }]);
    await expect.poll(() => source.loadMessages("acme", "s1")).toEqual([{ n: 1 }, { n: 2 }]);
  });

  describe("that the primary waits for", () => {
    beforeAll(() => waitForReplica(true));
    afterAll(() => waitForReplica(false));
    beforeEach(empty);
    const database = {
      get connectionString() {
        return primary.url;
      },
      get readFrom() {
        return agentsAt(replica);
      },
      empty,
    };
    describePostgresContract(" of a replica", database);
  });
});
