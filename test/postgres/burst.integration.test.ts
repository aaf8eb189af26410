import fc from "fast-check";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  type PostgresPool,
} from "../../src/postgres.js";
import { turns } from "../support/delayed-store.js";
import { useDatabase } from "../support/postgres-database.js";
import { expectRecorded, recordings, WRITERS } from "../support/random-recordings.js";
import { describeBursts } from "../support/recorded-burst.js";
import { runs } from "../support/soak.js";

const database = useDatabase();
const KEY = { tenantId: "acme", sessionId: "s1" };

function delayedPool(pool: pg.Pool, wait: () => Promise<void>): PostgresPool {
  return {
    async connect() {
      await wait();
      const client = await pool.connect();
      const query = client.query.bind(client);
      return Object.assign(Object.create(client) as Awaited<ReturnType<PostgresPool["connect"]>>, {
        query: async (statement: pg.QueryConfig) => {
          await wait();
          return query(statement);
        },
        release: (destroy?: boolean) => client.release(destroy),
      });
    },
  };
}

describe("PostgreSQL", () => {
  describeBursts(() => {
    const { connectionString } = database;
    return {
      store: createPostgresSessionStore({ connectionString }),
      source: createPostgresDataSource({ connectionString }),
    };
  });

  it.each(WRITERS)("shows what %s, in its order, whatever its store waits for", async (_, write) => {
    const { connectionString } = database;
    const pool = new pg.Pool({ connectionString });
    let waits: readonly number[] = [0];
    let calls = 0;
    const store = createPostgresSessionStore({
      pool: delayedPool(pool, () => turns(waits[calls++ % waits.length]!)),
    });
    const source = createPostgresDataSource({ connectionString });
    onTestFinished(async () => {
      await Promise.all([store.close?.(), source.close?.()]);
      await pool.end();
    });
    let tenants = 0;
    await fc.assert(
      fc.asyncProperty(recordings, fc.array(fc.nat(5), { minLength: 1 }), async (steps, list) => {
        waits = list;
        const tenantId = `t${tenants++}`;
        await expectRecorded(source, tenantId, await write(store, tenantId, steps));
      }),
      { numRuns: runs(100) },
    );
  });

  it("stores no call before one that is made again, because the connection broke in between", async () => {
    const { connectionString } = database;
    const pool = new pg.Pool({ connectionString });
    let transactions = 0;
    const breaking: PostgresPool = {
      async connect() {
        const client = await pool.connect();
        const query = client.query.bind(client);
        return Object.assign(Object.create(client) as Awaited<ReturnType<PostgresPool["connect"]>>, {
          query: async (statement: pg.QueryConfig) => {
            const isBroken = statement.text.startsWith("BEGIN") && ++transactions === 1;
            if (isBroken) throw Object.assign(new Error("broken"), { code: "ECONNRESET" });
            return query(statement);
          },
          release: (destroy?: boolean) => client.release(destroy),
        });
      },
    };
    const store = createPostgresSessionStore({ pool: breaking, retryForMs: 0 });
    const source = createPostgresDataSource({ connectionString });
    onTestFinished(async () => {
      await Promise.all([store.close?.(), source.close?.()]);
      await pool.end();
    });
    // More than one transaction: the first one fails, and another one would store the rest.
    const numbers = Array.from({ length: 1_500 }, (_, i) => i);
    const ends = await Promise.allSettled(numbers.map((i) => store.appendMessages(KEY, [{ i }])));
    expect(ends.filter(({ status }) => status === "fulfilled")).toEqual([]);
    for (const i of numbers) store.appendMessages(KEY, [{ i }]);
    await store.close?.();
    expect((await source.loadMessages("acme", "s1")).map(({ i }) => i)).toEqual(numbers);
  });

  it("refuses what follows a call that too much waits for, until nothing waits", async () => {
    const { connectionString } = database;
    const store = createPostgresSessionStore({ connectionString, maxWaitingBytes: 1_000 });
    const source = createPostgresDataSource({ connectionString });
    onTestFinished(() => source.close?.());
    const append = (...contents: readonly string[]) =>
      Promise.allSettled(contents.map((content) => store.appendMessages(KEY, [{ content }])));
    const long = "x".repeat(2_000);
    const ends = await append("first", long, "second");
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect((await append("second")).map(({ status }) => status)).toEqual(["fulfilled"]);
    await store.close?.();
    const messages = await source.loadMessages("acme", "s1");
    expect(messages.map(({ content }) => content)).toEqual(["first", "second"]);
  });
});
