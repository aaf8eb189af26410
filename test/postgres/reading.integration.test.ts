import pg from "pg";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { SourceChangedError, SourceUnavailableError } from "../../src/application/errors.js";
import type { InspectorDataSource, ReadOptions, RecordStream } from "../../src/index.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  type PostgresPool,
} from "../../src/postgres.js";
import { TABLES, useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

const opened: { close?(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.();
});

interface SourceOptions {
  readonly statementTimeoutMs?: number;
  readonly maxConnections?: number;
}

function openSource(options: SourceOptions = {}): InspectorDataSource {
  const source = createPostgresDataSource({ connectionString: database.connectionString, ...options });
  opened.push(source);
  return source;
}

async function openMessages(source: InspectorDataSource, options?: ReadOptions): Promise<RecordStream> {
  const session = await source.openSession!("acme", "s1", options);
  return session!.messages();
}

async function writeMessages(count: number, characters: number): Promise<void> {
  const store = createPostgresSessionStore({ connectionString: database.connectionString });
  const message = { content: "x".repeat(characters) };
  const key = { tenantId: "acme", sessionId: "s1" };
  await store.appendMessages(
    key,
    Array.from({ length: count }, () => message),
  );
  await store.close?.();
}

async function runningStatements(): Promise<number> {
  const [row] = await database.run(`SELECT count(*)::int AS running FROM pg_stat_activity
    WHERE application_name = 'agent-inspector' AND datname = current_database() AND state = 'active'`);
  return row?.running as number;
}

async function connections(): Promise<number> {
  const [row] = await database.run(`SELECT count(*)::int AS connected FROM pg_stat_activity
    WHERE application_name = 'agent-inspector' AND datname = current_database()`);
  return row?.connected as number;
}

const SOON = { timeout: 10_000, interval: 25 };

/** A view replaces the table of one session and makes its reading slow. */
async function slowDown(seconds: number): Promise<void> {
  await writeMessages(1, 1);
  await database.run(`ALTER TABLE agent_inspector.sessions RENAME TO sessions_kept;
    CREATE VIEW agent_inspector.sessions AS
      SELECT kept.* FROM agent_inspector.sessions_kept AS kept, pg_sleep(${seconds})`);
  onTestFinished(async () => {
    await database.run(`DROP VIEW agent_inspector.sessions;
      ALTER TABLE agent_inspector.sessions_kept RENAME TO sessions`);
  });
}

describe("Reading from PostgreSQL", () => {
  it("is cancelled on the server when the reader leaves", async () => {
    await slowDown(60);
    const source = openSource();
    const reads: ((options: ReadOptions) => Promise<unknown>)[] = [
      (options) => source.listSessions(options),
      (options) => source.findSessions!({ limit: 10 }, options),
      (options) => source.openSession!("acme", "s1", options),
      (options) => source.loadMessages("acme", "s1", options),
    ];
    for (const read of reads) {
      const controller = new AbortController();
      const reason = new Error("the reader left");
      const reading = expect(read({ signal: controller.signal })).rejects.toBe(reason);
      await expect.poll(runningStatements, SOON).toBe(1);
      controller.abort(reason);
      await reading;
      await expect.poll(runningStatements, SOON).toBe(0);
    }
  });

  it("is cancelled on the server when it takes too long, and the store is unavailable", async () => {
    await slowDown(60);
    const source = openSource({ statementTimeoutMs: 300 });
    const reading = source.openSession!("acme", "s1");
    await expect(reading).rejects.toThrow(SourceUnavailableError);
    await expect(reading).rejects.toThrow("did not answer within 300 ms");
    await expect.poll(runningStatements, SOON).toBe(0);
  });

  it("holds no connection between two batches of a slow reader", async () => {
    await writeMessages(40, 100_000);
    const source = openSource({ maxConnections: 1 });
    const messages = await openMessages(source);
    let read = 0;
    for await (const batch of messages.read({ from: 0, to: messages.size })) {
      expect(batch.text.length).toBeLessThan(1_000_000);
      expect(await source.listSessions()).toHaveLength(1);
      read += batch.size;
    }
    expect(read).toBe(40);
  });

  it("stops at a reader that leaves in the middle, and gives every connection back", async () => {
    await writeMessages(100, 100_000);
    const source = openSource({ maxConnections: 2 });
    for (let leaving = 0; leaving < 5; leaving++) {
      const messages = await openMessages(source);
      for await (const _ of messages.read({ from: 0, to: messages.size })) break;
    }
    await expect.poll(runningStatements, SOON).toBe(0);
    expect(await connections()).toBeLessThanOrEqual(2);
    expect(await source.loadMessages("acme", "s1")).toHaveLength(100);
  });

  it("gives a record of ten megabytes in a batch of its own", async () => {
    const store = createPostgresSessionStore({ connectionString: database.connectionString });
    opened.push(store);
    const key = { tenantId: "acme", sessionId: "s1" };
    await store.appendMessages(key, [{ a: 1 }, { b: "é".repeat(5_000_000) }, { c: 3 }]);
    const messages = await openMessages(openSource());
    const sizes: number[] = [];
    for await (const batch of messages.read({ from: 0, to: 3 })) sizes.push(batch.text.length);
    expect(sizes).toEqual([7, 10_000_008, 7]);
  });

  it("stops with the signal that the session was opened with, as with its own", async () => {
    await writeMessages(100, 100_000);
    const source = openSource();
    const reason = new Error("the reader left");
    for (const isOpenedWith of [true, false]) {
      const controller = new AbortController();
      const options = { signal: controller.signal };
      const messages = await openMessages(source, isOpenedWith ? options : {});
      let batches = 0;
      const reading = (async () => {
        for await (const _ of messages.read({ from: 0, to: 100 }, isOpenedWith ? {} : options)) {
          if (++batches === 2) controller.abort(reason);
        }
      })();
      await expect(reading).rejects.toBe(reason);
      expect(batches).toBe(2);
    }
    await expect.poll(runningStatements).toBe(0);
  });

  it("reads sessions whose names hold quotation marks and backslashes, whatever the host's settings for those", async () => {
    const odd = { tenantId: "a'b\\'; --", sessionId: "\\" };
    const store = createPostgresSessionStore({ connectionString: database.connectionString });
    opened.push(store);
    await store.appendMessages(odd, [{ n: "é" }, { n: 2 }]);
    for (const setting of ["on", "off"]) {
      const options = `-c standard_conforming_strings=${setting} -c escape_string_warning=off`;
      const pool = new pg.Pool({ connectionString: database.connectionString, options });
      pool.on("error", () => {}); // connections that are still being closed when the server stops
      onTestFinished(() => pool.end());
      const messages = await createPostgresDataSource({ pool }).loadMessages(odd.tenantId, odd.sessionId);
      expect(messages).toEqual([{ n: "é" }, { n: 2 }]);
    }
  });

  it("reads rows where the driver gives no bytes", async () => {
    await writeMessages(3, 10);
    const pool = new pg.Pool({ connectionString: database.connectionString });
    pool.on("error", () => {}); // connections that are still being closed when the server stops
    onTestFinished(() => pool.end());
    const other: PostgresPool = {
      connect: async () => {
        const client = await pool.connect();
        return {
          query: (statement) => client.query({ ...statement, values: [...(statement.values ?? [])] }),
          release: (destroy) => client.release(destroy),
          on: (event, listener) => client.on(event, listener),
          removeListener: (event, listener) => client.removeListener(event, listener),
        };
      },
    };
    const source = createPostgresDataSource({ pool: other });
    expect(await source.loadMessages("acme", "s1")).toHaveLength(3);
  });

  it("gives back a connection on which reading bytes failed, and goes on with it", async () => {
    await writeMessages(3, 10);
    const pool = new pg.Pool({ connectionString: database.connectionString, max: 1 });
    pool.on("error", () => {}); // connections that are still being closed when the server stops
    onTestFinished(() => pool.end());
    const source = createPostgresDataSource({ pool });
    const messages = await openMessages(source);
    const rename = (from: string, to: string) =>
      database.run(`ALTER TABLE agent_inspector.messages RENAME COLUMN ${from} TO ${to}`);
    await rename("raw", "other");
    const reading = (async () => {
      for await (const _ of messages.read({ from: 0, to: 3 })) throw new Error("nothing was expected");
    })();
    await expect(reading).rejects.toThrow(SourceUnavailableError);
    await rename("other", "raw");
    expect(await source.loadMessages("acme", "s1")).toHaveLength(3);
    expect(pool.totalCount).toBe(1);
  });

  it("reports a session that is deleted while it is being read", async () => {
    await writeMessages(100, 100_000);
    const messages = await openMessages(openSource());
    // Unlike a truncation, a deletion waits for no reader.
    const remove = TABLES.map((table) => `DELETE FROM agent_inspector.${table}`).join("; ");
    const reading = (async () => {
      for await (const _ of messages.read({ from: 0, to: messages.size })) await database.run(remove);
    })();
    await expect(reading).rejects.toThrow(SourceChangedError);
  });

  it("uses the host's pool, and leaves it open", async () => {
    const pool = new pg.Pool({ connectionString: database.connectionString });
    pool.on("error", () => {}); // connections that are still being closed when the server stops
    const source = createPostgresDataSource({ pool });
    const store = createPostgresSessionStore({ pool });
    await store.appendMessages({ tenantId: "acme", sessionId: "s1" }, [{ n: 1 }]);
    expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 1 }]);
    await source.close?.();
    await store.close?.();
    await pool.query("SELECT 1");
    await pool.end();
  });
});

describe("createPostgresDataSource", () => {
  it("wants a connection string or a pool, and not both", () => {
    expect(() => createPostgresDataSource({})).toThrow("either `connectionString` or `pool`");
    const pool: PostgresPool = { connect: () => Promise.reject(new Error("not used")) };
    expect(() => createPostgresDataSource({ pool, connectionString: "postgres://h/d" })).toThrow("either");
  });

  it("refuses a schema whose name would have to be quoted", () => {
    const connectionString = "postgres://h/d";
    expect(() => createPostgresDataSource({ connectionString, schema: "a; DROP" })).toThrow("`schema`");
  });
});
