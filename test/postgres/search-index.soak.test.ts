import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore, migratePostgres } from "../../src/postgres.js";
import { run } from "../support/command-line.js";
import { partitionByTenant } from "../support/partitions.js";
import { startOwnServer, startServer, type TestServer } from "../support/postgres-server.js";
import { storing } from "../support/stored-texts.js";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const query = { kind: "text", text: "router", isExact: false } as const;

async function search(connectionString: string) {
  const source = createPostgresDataSource({ connectionString });
  try {
    const { candidates, notes } = await source.searchRecords!({ query, limit: 10, budgetMs: 30_000 });
    return { found: candidates.map(({ sessionId }) => sessionId), notes };
  } finally {
    await source.close?.();
  }
}

const NO_INDEX = [expect.stringContaining("agent-inspector migrate --search-index --database-url URL")];
const SAID = [{ sessionId: "s1", records: [JSON.stringify({ text: "in router.ex" })] }];

const indexes = (connectionString: string) =>
  server.run(
    `SELECT indexrelid::regclass::text AS name, indisvalid AS complete FROM pg_index
      WHERE indexrelid::regclass::text LIKE '%search_%' ORDER BY 1`,
    connectionString,
  );
const TABLES = ["messages", "orchestration_events", "trace_envelopes"];
const COMPLETE = [...TABLES, ...TABLES.map((table) => `odd_${table}`)].sort().map((table) => ({
  name: `agent_inspector.search_${table}`,
  complete: true,
}));

async function databaseWithText(from = server): Promise<string> {
  const connectionString = await from.createDatabase();
  await migratePostgres({ connectionString });
  await from.run(storing(SAID), connectionString);
  return connectionString;
}

async function withRole(connectionString: string, given: string): Promise<string> {
  const role = `role_${Date.now()}`;
  await server.run(
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; ${given.replaceAll("ROLE", role)}`,
    connectionString,
  );
  onTestFinished(() =>
    server.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`, connectionString).then(() => {}),
  );
  return Object.assign(new URL(connectionString), { username: role, password: "secret" }).href;
}

describe("The index for searching texts", () => {
  it("is made when it is asked for, for what is stored already, and once", async () => {
    const connectionString = await databaseWithText();
    expect(await indexes(connectionString)).toEqual([]);
    expect(await search(connectionString)).toEqual({ found: ["s1"], notes: NO_INDEX });
    for (const time of ["first", "second"]) {
      const report = await migratePostgres({ connectionString, searchIndex: true });
      expect(report, time).toEqual({ from: 5, to: 5, searchIndex: { isThere: true } });
      expect(await indexes(connectionString), time).toEqual(COMPLETE);
    }
    expect(await search(connectionString)).toEqual({ found: ["s1"], notes: undefined });
  });

  it("is made anew where it was broken off", async () => {
    const connectionString = await databaseWithText();
    await migratePostgres({ connectionString, searchIndex: true });
    await server.run(
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'agent_inspector.search_messages'::regclass",
      connectionString,
    );
    expect((await search(connectionString)).notes).toEqual(NO_INDEX);
    await migratePostgres({ connectionString, searchIndex: true });
    expect(await indexes(connectionString)).toEqual(COMPLETE);
  });

  it("is left to the process that makes it, and hinders nobody who writes meanwhile", async () => {
    const connectionString = await databaseWithText();
    const open = new pg.Client({ connectionString });
    await open.connect();
    onTestFinished(() => open.end());
    // A concurrent index build waits for writers that have begun.
    await open.query("BEGIN; UPDATE agent_inspector.trace_envelopes SET position = position");
    const making = migratePostgres({ connectionString, searchIndex: true });
    const begun = "SELECT FROM pg_stat_progress_create_index WHERE datname = current_database()";
    while ((await server.run(begun, connectionString)).length === 0);
    expect((await migratePostgres({ connectionString, searchIndex: true })).searchIndex).toEqual({
      isThere: false,
      reason: "Another process is making it just now.",
    });
    const store = createPostgresSessionStore({ connectionString });
    const key = { tenantId: "acme", sessionId: "s2" };
    await store.openSession({ ...key, userId: "", createdAt: 0 });
    await store.appendMessages(key, [{ role: "user", content: "router" }]);
    await store.close?.();
    await open.query("COMMIT");
    expect((await making).searchIndex).toEqual({ isThere: true });
    expect((await search(connectionString)).found.toSorted()).toEqual(["s1", "s2"]);
  });

  it("covers the partitions of a table, and those that are added later", async () => {
    const connectionString = await databaseWithText();
    await partitionByTenant((sql) => server.run(sql, connectionString));
    await server.run(storing(SAID), connectionString);
    expect((await migratePostgres({ connectionString, searchIndex: true })).searchIndex).toEqual({
      isThere: true,
    });
    const made = await indexes(connectionString);
    expect(made.length).toBe(6 + 6 * 4);
    expect(made.every(({ complete }) => complete)).toBe(true);
    expect(await search(connectionString)).toEqual({ found: ["s1"], notes: undefined });
    await server.run(
      `DROP TABLE agent_inspector.messages_3; CREATE TABLE agent_inspector.messages_3
        PARTITION OF agent_inspector.messages FOR VALUES WITH (MODULUS 4, REMAINDER 3)`,
      connectionString,
    );
    const isComplete = Array(2).fill({ indisvalid: true });
    const added =
      "SELECT indisvalid FROM pg_index WHERE indrelid = 'agent_inspector.messages_3'::regclass AND indpred IS NOT NULL";
    expect(await server.run(added, connectionString)).toEqual(isComplete);
    expect((await migratePostgres({ connectionString, searchIndex: true })).searchIndex).toEqual({
      isThere: true,
    });
  });

  it("is not made by a role that may not create the extension, which has its tables all the same", async () => {
    const connectionString = await server.createDatabase();
    const url = await withRole(connectionString, "CREATE SCHEMA agent_inspector AUTHORIZATION ROLE");
    const refused = await migratePostgres({ connectionString: url, searchIndex: true });
    expect(refused).toMatchObject({ from: 0, to: 5, searchIndex: { isThere: false } });
    expect(refused.searchIndex?.reason).toContain("run CREATE EXTENSION pg_trgm");
    expect(await search(url)).toEqual({ found: [], notes: NO_INDEX });
    await server.run(
      "CREATE SCHEMA elsewhere; CREATE EXTENSION pg_trgm SCHEMA elsewhere; GRANT USAGE ON SCHEMA elsewhere TO PUBLIC",
      connectionString,
    );
    expect((await migratePostgres({ connectionString: url, searchIndex: true })).searchIndex).toEqual({
      isThere: true,
    });
    expect((await search(url)).notes).toBeUndefined();
  });

  it("is not made where the server has no such extension, and the command says so", async () => {
    const bare = await startOwnServer(["-c", "extension_control_path=/nowhere"]);
    onTestFinished(() => bare.stop());
    const connectionString = await bare.createDatabase();
    expect(await run("migrate", "--search-index", "--database-url", connectionString)).toEqual({
      stdout: "The schema was version 0 and is version 6 now.\n",
      stderr:
        "There is no index for searching texts; a search takes longer. The server has no extension pg_trgm. " +
        "Install PostgreSQL's contrib modules on it, and run this again.\n",
      code: 0,
    });
    await bare.run(storing(SAID), connectionString);
    expect(await search(connectionString)).toEqual({ found: ["s1"], notes: NO_INDEX });
  });

  it("is made by the command", async () => {
    const connectionString = await server.createDatabase();
    expect(await run("migrate", "--database-url", connectionString, "--search-index")).toEqual({
      stdout: "The schema was version 0 and is version 6 now.\nThe index for searching texts is there.\n",
      stderr: "",
      code: 0,
    });
    expect(await indexes(connectionString)).toEqual(COMPLETE);
  });
});
