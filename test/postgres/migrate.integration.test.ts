import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { createPostgresDataSource, createPostgresSessionStore, migratePostgres } from "../../src/postgres.js";
import { startServer, type TestServer } from "../support/postgres-server.js";
import { sized } from "../support/soak.js";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const COMMAND = /agent-inspector migrate --database-url URL/;

async function listError(connectionString: string): Promise<unknown> {
  const source = createPostgresDataSource({ connectionString });
  try {
    return await source.listSessions().then(
      () => undefined,
      (error: unknown) => error,
    );
  } finally {
    await source.close?.();
  }
}

function migrateInProcess(connectionString: string): Promise<string> {
  const program = fileURLToPath(new URL("migrate-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, connectionString]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.on("close", () => resolve(output)));
}

describe("The schema", () => {
  it("is made once by processes that start at the same time", async () => {
    const connectionString = await server.createDatabase();
    const size = sized(2, 10);
    const outputs = await Promise.all(Array.from({ length: size }, () => migrateInProcess(connectionString)));
    expect(outputs.sort()).toEqual(["from 0 to 1\n", ...Array(size - 1).fill("from 1 to 1\n")]);
    const versions = await server.run("SELECT version FROM agent_inspector.migrations", connectionString);
    expect(versions).toEqual([{ version: 1 }]);
  }, 120_000);

  it("is left as it is by a second migration", async () => {
    const connectionString = await server.createDatabase();
    expect(await migratePostgres({ connectionString })).toEqual({ from: 0, to: 1 });
    expect(await migratePostgres({ connectionString })).toEqual({ from: 1, to: 1 });
  });

  it("is never made by reading or writing: the error names the command", async () => {
    const connectionString = await server.createDatabase();
    const error = await listError(connectionString);
    expect(error).toBeInstanceOf(SourceUnavailableError);
    expect((error as Error).message).toMatch(COMMAND);
    const store = createPostgresSessionStore({ connectionString, retryForMs: 0 });
    const opening = store.openSession({ tenantId: "t", sessionId: "s", userId: "", createdAt: 0 });
    await expect(opening).rejects.toThrow(COMMAND);
    await store.close?.();
    const found = await server.run("SELECT to_regnamespace('agent_inspector') AS name", connectionString);
    expect(found).toEqual([{ name: null }]);
  });

  it("is found by a source that was used before it was there", async () => {
    const connectionString = await server.createDatabase();
    const source = createPostgresDataSource({ connectionString });
    await expect(source.listSessions()).rejects.toThrow(COMMAND);
    await migratePostgres({ connectionString });
    expect(await source.listSessions()).toEqual([]);
    await server.run("DROP SCHEMA agent_inspector CASCADE", connectionString);
    await expect(source.listSessions()).rejects.toThrow(COMMAND);
    await source.close?.();
  });

  it("is refused where it is older than the code, and the error names the command", async () => {
    const connectionString = await server.createDatabase();
    await migratePostgres({ connectionString });
    await server.run("DELETE FROM agent_inspector.migrations", connectionString);
    const error = (await listError(connectionString)) as Error;
    expect(error).toBeInstanceOf(SourceUnavailableError);
    expect(error.message).toMatch(/is version 0, and version 1 is needed/);
    expect(error.message).toMatch(COMMAND);
  });

  it("is accepted where it is newer and allows older code", async () => {
    const connectionString = await server.createDatabase();
    await migratePostgres({ connectionString });
    const later =
      "INSERT INTO agent_inspector.migrations (version, name, oldest_user) VALUES (2, 'later', 1)";
    await server.run(later, connectionString);
    expect(await listError(connectionString)).toBeUndefined();
    expect(await migratePostgres({ connectionString })).toEqual({ from: 2, to: 2 });
  });

  it("is refused where it is newer than what the code can work with", async () => {
    const connectionString = await server.createDatabase();
    await migratePostgres({ connectionString });
    const later =
      "INSERT INTO agent_inspector.migrations (version, name, oldest_user) VALUES (2, 'later', 2)";
    await server.run(later, connectionString);
    expect(String(await listError(connectionString))).toMatch(/too new .* Update agent-inspector/);
  });

  it("may have another name, and be given to a role that may not make one", async () => {
    const connectionString = await server.createDatabase();
    const role = `role_${Date.now()}`;
    await server.run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`, connectionString);
    await server.run(`CREATE SCHEMA histories AUTHORIZATION ${role}`, connectionString);
    const url = new URL(connectionString);
    url.username = role;
    url.password = "secret";
    await migratePostgres({ connectionString: url.href, schema: "histories" });
    const source = createPostgresDataSource({ connectionString: url.href, schema: "histories" });
    expect(await source.listSessions()).toEqual([]);
    await source.close?.();
    await server.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`, connectionString);
  });

  it("starts every key with the tenant, and shares no sequence", async () => {
    const connectionString = await server.createDatabase();
    await migratePostgres({ connectionString });
    const keys = await server.run(
      `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY k.n) AS columns, x.contype::text AS type
        FROM pg_constraint x JOIN pg_class c ON c.oid = x.conrelid,
          unnest(x.conkey) WITH ORDINALITY AS k(attnum, n) JOIN pg_attribute a ON a.attnum = k.attnum
        WHERE x.connamespace = 'agent_inspector'::regnamespace AND a.attrelid = c.oid
          AND x.contype IN ('p', 'u', 'f') AND c.relname <> 'migrations'
        GROUP BY c.relname, x.oid, x.contype`,
      connectionString,
    );
    expect(keys.length).toBeGreaterThanOrEqual(10);
    for (const { columns, type } of keys) {
      expect((columns as string[]).slice(0, 2)).toEqual(["tenant_id", "session_id"]);
      expect(type).not.toBe("f");
    }
    const sequences = "SELECT relname FROM pg_class WHERE relkind = 'S'";
    expect(await server.run(sequences, connectionString)).toEqual([]);
  });
});
