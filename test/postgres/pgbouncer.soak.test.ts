import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore, migratePostgres } from "../../src/postgres.js";
import { expectManyWriters } from "../support/many-writers.js";
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../support/pgbouncer.js";
import { describePostgresContract } from "../support/postgres-contract.js";
import { TABLES } from "../support/postgres-database.js";
import { type AgentsServer, startAgentsServer } from "../support/sharded-postgres.js";

const without = hasPgBouncer ? "" : " (not run: Debian's package pgbouncer is not installed)";

describe.skipIf(!hasPgBouncer)(`Through PgBouncer in transaction mode${without}`, () => {
  let behind: AgentsServer;
  let bouncer: PgBouncer;
  const run = (sql: string) => behind.server.run(sql, behind.url);
  const empty = async () => {
    await run(`TRUNCATE ${TABLES.map((table) => `agent_inspector.${table}`).join(", ")}`);
  };
  const database = {
    get connectionString() {
      return bouncer.url;
    },
    empty,
  };
  const openSource = (change: Partial<URL> = {}) => {
    const source = createPostgresDataSource({
      connectionString: Object.assign(new URL(bouncer.url), change).href,
    });
    onTestFinished(() => source.close?.());
    return source;
  };

  beforeAll(async () => {
    behind = await startAgentsServer();
    bouncer = await startPgBouncer(behind);
  });
  afterAll(async () => {
    await bouncer?.stop();
    await behind?.server.stop();
  });
  beforeEach(empty);

  it("the tables are made", async () => {
    await run("DROP SCHEMA agent_inspector CASCADE");
    expect(await migratePostgres({ connectionString: bouncer.url })).toMatchObject({ from: 0 });
  });

  it("connections change behind the reader, and its pages are the same", async () => {
    const store = createPostgresSessionStore({ connectionString: bouncer.url });
    for (let n = 0; n < 20; n++)
      await store.appendMessages({ tenantId: "acme", sessionId: `s${n}` }, [{ n }]);
    await store.close?.();
    const source = openSource();
    const pages = await Promise.all(
      Array.from({ length: 200 }, () => source.findSessions!({ tenantId: "acme", limit: 10 })),
    );
    for (const page of pages) expect(page).toEqual(pages[0]);
    expect(pages[0]!.items).toHaveLength(10);
  });

  it("many processes write to the same sessions, and no record is lost or doubled", async () => {
    await expectManyWriters({ writeTo: bouncer.url });
  });

  it("an unknown role, a wrong password and an unknown database are told as without it", async () => {
    const failureOf = (change: Partial<URL>) => openSource(change).listSessions().catch(String);
    expect(await failureOf({ username: "nobody" })).toContain("no such role, or the password is wrong");
    expect(await failureOf({ password: "wrong" })).toContain("no such role, or the password is wrong");
    expect(await failureOf({ pathname: "/nothing" })).toContain("no such database");
  });

  it("a server behind it that is killed is unavailable, and all goes on when it is back", async () => {
    const store = createPostgresSessionStore({ connectionString: bouncer.url });
    onTestFinished(() => store.close?.());
    await store.appendMessages({ tenantId: "acme", sessionId: "s1" }, [{ n: 1 }]);
    const source = openSource();
    expect(await source.loadMessages("acme", "s1")).toHaveLength(1);
    await behind.server.kill();
    // The open connection breaks; for the next, PgBouncer reports none.
    await expect
      .poll(() => source.loadMessages("acme", "s1").catch(String))
      .toContain("pooler before the database has no connection");
    const waiting = store.appendMessages({ tenantId: "acme", sessionId: "s1" }, [{ n: 2 }]);
    await behind.server.start();
    await waiting;
    expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 1 }, { n: 2 }]);
  });

  describePostgresContract(" through PgBouncer", database);
});
