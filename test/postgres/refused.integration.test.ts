import { inspect } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { SourceUnavailableError } from "../../src/application/errors.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
  migratePostgres,
} from "../../src/postgres.js";
import { SessionRecorder } from "../../src/recording.js";
import { run } from "../support/command-line.js";
import { temporaryFolder, writeSessions } from "../support/data-directory.js";
import { startServer, type TestServer } from "../support/postgres-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Refusing {
  readonly connectionString: string;
  readonly repair: () => Promise<unknown>;
}

const withUrl = (url: string, change: Partial<URL>) => Object.assign(new URL(url), change).href;
const nameOf = (url: string) => new URL(url).pathname.slice(1);
let roles = 0;

async function newRole(url: string): Promise<{ readonly role: string; readonly connectionString: string }> {
  const role = `refused_${process.pid}_${roles++}`;
  await server.run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret-password'`);
  onTestFinished(async () => {
    await server.run(`DROP OWNED BY ${role}`, url);
    await server.run(`DROP ROLE ${role}`);
  });
  return { role, connectionString: withUrl(url, { username: role, password: "secret-password" }) };
}

const CASES: readonly (readonly [name: string, sentence: string, prepare: () => Promise<Refusing>])[] = [
  [
    "has no schema",
    "The database has no agent-inspector schema. Run: agent-inspector migrate --database-url URL",
    async () => {
      const connectionString = await server.createDatabase();
      return { connectionString, repair: () => migratePostgres({ connectionString }) };
    },
  ],
  [
    "has an older schema",
    "schema is version 0, and version 1 is needed. Run: agent-inspector migrate --database-url URL",
    async () => {
      const connectionString = await server.createMigratedDatabase();
      await server.run(
        "CREATE TABLE applied AS TABLE agent_inspector.migrations; DELETE FROM agent_inspector.migrations",
        connectionString,
      );
      const repair = () =>
        server.run("INSERT INTO agent_inspector.migrations TABLE applied", connectionString);
      return { connectionString, repair };
    },
  ],
  [
    "has a newer schema",
    "which is too new for this version of agent-inspector. Update agent-inspector.",
    async () => {
      const connectionString = await server.createMigratedDatabase();
      await server.run(
        "INSERT INTO agent_inspector.migrations (version, name, oldest_user) VALUES (2, 'later', 2)",
        connectionString,
      );
      const repair = () =>
        server.run("DELETE FROM agent_inspector.migrations WHERE version = 2", connectionString);
      return { connectionString, repair };
    },
  ],
  [
    "gives the role no privilege on the schema",
    "The role lacks a privilege in the database.",
    async () => {
      const url = await server.createMigratedDatabase();
      const { role, connectionString } = await newRole(url);
      const repair = () =>
        server.run(
          `GRANT USAGE ON SCHEMA agent_inspector TO ${role};
            GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA agent_inspector TO ${role}`,
          url,
        );
      return { connectionString, repair };
    },
  ],
  [
    "lets the role read alone",
    "a writer INSERT and UPDATE, too",
    async () => {
      const url = await server.createMigratedDatabase();
      const { role, connectionString } = await newRole(url);
      await server.run(
        `GRANT USAGE ON SCHEMA agent_inspector TO ${role};
          GRANT SELECT ON ALL TABLES IN SCHEMA agent_inspector TO ${role}`,
        url,
      );
      const repair = () =>
        server.run(`GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA agent_inspector TO ${role}`, url);
      return { connectionString, repair };
    },
  ],
  [
    "lets the role not connect",
    "GRANT CONNECT ON DATABASE",
    async () => {
      const url = await server.createMigratedDatabase();
      const { role, connectionString } = await newRole(url);
      await server.run(`REVOKE CONNECT ON DATABASE ${nameOf(url)} FROM public`);
      const repair = () =>
        server.run(
          `GRANT CONNECT ON DATABASE ${nameOf(url)} TO ${role}; GRANT USAGE ON SCHEMA agent_inspector TO ${role};
            GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA agent_inspector TO ${role}`,
          url,
        );
      return { connectionString, repair };
    },
  ],
  [
    "is not there",
    "The server has no such database.",
    async () => {
      const url = await server.createMigratedDatabase();
      const moved = `${nameOf(url)}_moved`;
      await server.run(`ALTER DATABASE ${nameOf(url)} RENAME TO ${moved}`);
      return {
        connectionString: url,
        repair: () => server.run(`ALTER DATABASE ${moved} RENAME TO ${nameOf(url)}`),
      };
    },
  ],
  [
    "has another password",
    "the password is wrong",
    async () => {
      const url = await server.createMigratedDatabase();
      const { role, connectionString } = await newRole(url);
      await server.run(
        `ALTER ROLE ${role} PASSWORD 'another'; GRANT USAGE ON SCHEMA agent_inspector TO ${role};
          GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA agent_inspector TO ${role}`,
        url,
      );
      return { connectionString, repair: () => server.run(`ALTER ROLE ${role} PASSWORD 'secret-password'`) };
    },
  ],
  [
    "only reads",
    "it is a read replica, or its default_transaction_read_only is on. Write to the primary server",
    async () => {
      const connectionString = await server.createMigratedDatabase();
      const set = (change: string) => server.run(`ALTER DATABASE ${nameOf(connectionString)} ${change}`);
      await set("SET default_transaction_read_only = on");
      return { connectionString, repair: () => set("RESET default_transaction_read_only") };
    },
  ],
  [
    "has a full disk",
    "The database's server has no disk space left.",
    async () => {
      const connectionString = await server.createMigratedDatabase();
      // An emulated error: a full disk would break every other test.
      await server.run(
        `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
          CREATE TRIGGER disk_full BEFORE INSERT ON agent_inspector.sessions
            FOR EACH ROW EXECUTE FUNCTION disk_full()`,
        connectionString,
      );
      const repair = () => server.run("DROP TRIGGER disk_full ON agent_inspector.sessions", connectionString);
      return { connectionString, repair };
    },
  ],
];

describe.each(CASES)("A database that %s", (_, sentence, prepare) => {
  it("is said to be so at once, and takes what waits as soon as it is repaired", async () => {
    const { connectionString, repair } = await prepare();
    const pool = new pg.Pool({ connectionString });
    const connect = vi.spyOn(pool, "connect");
    const store = createPostgresSessionStore({ pool });
    onTestFinished(async () => {
      await store.close?.();
      await pool.end();
    });
    const key = { tenantId: "acme", sessionId: "s1" };
    const error: unknown = await store.appendMessages(key, [{ n: 0 }]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SourceUnavailableError);
    expect((error as Error).message).toContain(sentence);
    // One connection reads the schema, one writes: no third one retries.
    expect(connect.mock.calls.length).toBeLessThanOrEqual(2);

    await expect(new SessionRecorder(store).open({ sessionId: "s0" })).rejects.toMatchObject({
      name: "RecordingError",
      message: expect.stringContaining(sentence),
    });

    const errors: Error[] = [];
    const recorder = new SessionRecorder(store, { onError: (reported) => errors.push(reported) });
    const session = await recorder.open({ ...key, title: "Waits" });
    session.appendMessages([{ n: 1 }]);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(errors[0]!.message).toContain(sentence);
    expect(errors[0]!.message).toMatch(/refuses records: what is recorded waits/);
    expect(inspect(errors, { depth: 10 })).not.toMatch(/secret|refused_\d|inspector_test/);
    await repair();
    expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
    expect(errors).toHaveLength(1);
    const source = createPostgresDataSource({ connectionString });
    onTestFinished(() => source.close?.());
    expect(await source.listSessions()).toMatchObject([{ ...key, title: "Waits" }]);
    expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 1 }]);
  });
});

it("A recorder reports that a database lacks its schema, also where it could not be reached before", async () => {
  const connectionString = await server.createDatabase();
  const real = new pg.Pool({ connectionString });
  let isDown = true;
  const pool = {
    connect: async () => {
      if (isDown) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
      return real.connect();
    },
  };
  const store = createPostgresSessionStore({ pool, retryForMs: 0 });
  onTestFinished(async () => {
    await store.close?.();
    await real.end();
  });
  const errors: string[] = [];
  const recorder = new SessionRecorder(store, { onError: ({ message }) => errors.push(message) });
  await recorder.open({ sessionId: "s1" });
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  isDown = false;
  await vi.waitFor(() => expect(errors).toHaveLength(2), { timeout: 10_000 });
  expect(errors).toEqual([
    "The session store cannot be reached: what is recorded waits for it.",
    expect.stringContaining("The database has no agent-inspector schema. Run: "),
  ]);
  await migratePostgres({ connectionString });
  expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
});

it("An import waits for a database that has taken sessions before, and reports what has to be done", async () => {
  const connectionString = await server.createMigratedDatabase();
  await server.run(
    `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER disk_full BEFORE INSERT ON agent_inspector.sessions
        FOR EACH ROW WHEN (NEW.session_id = 's0') EXECUTE FUNCTION disk_full()`,
    connectionString,
  );
  // The newest are copied first: more than the concurrent copies precede the refused one.
  const sessions = Array.from({ length: 12 }, (_, i) => ({ sessionId: `s${i}`, createdAt: i * 1_000 }));
  const waiting: unknown[] = [];
  const report = await importIntoPostgres(createInMemoryInspectorDataSource(sessions), {
    connectionString,
    onWaiting: (error) => {
      waiting.push(error);
      void server.run("DROP TRIGGER disk_full ON agent_inspector.sessions", connectionString);
    },
  });
  expect(report).toMatchObject({ sessions: 12, skipped: [] });
  expect(waiting).toMatchObject([{ message: expect.stringContaining("has no disk space left") }]);
});

it("An import into a database that only reads says so, and that the primary server takes it", async () => {
  const url = await server.createMigratedDatabase();
  await server.run(`ALTER DATABASE ${nameOf(url)} SET default_transaction_read_only = on`);
  const folder = await temporaryFolder();
  await writeSessions(folder, [{ tenantId: "acme", sessionId: "s1", userId: "ada", createdAt: 0 }]);
  for (const watch of [[], ["--watch"]]) {
    const { stderr, code } = await run(folder, "--database-url", url, "--import", "--no-cache", ...watch);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: The database only reads: it is a read replica, .* Write to the primary server/m,
    );
    expect(stderr).not.toContain("cannot be reached");
  }
}, 60_000);
