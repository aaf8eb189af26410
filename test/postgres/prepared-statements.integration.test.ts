import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

async function writeSession(): Promise<void> {
  const store = createPostgresSessionStore({ connectionString: database.connectionString });
  await store.appendMessages({ tenantId: "acme", sessionId: "s1" }, [{ n: 1 }]);
  await store.close?.();
}

describe("A statement that is prepared", () => {
  const search = { limit: 10 };
  const openOnOneConnection = () => {
    const pool = new pg.Pool({ connectionString: database.connectionString, max: 1 });
    pool.on("error", () => {}); // connections that are still being closed when the server stops
    onTestFinished(() => pool.end());
    return { pool, source: createPostgresDataSource({ pool }) };
  };
  const prepared = async (pool: pg.Pool) => {
    const { rows } = await pool.query("SELECT name, statement FROM pg_prepared_statements");
    return rows as { name: string; statement: string }[];
  };

  it("is prepared once for a connection, for all tenants", async () => {
    await writeSession();
    const { pool, source } = openOnOneConnection();
    for (const tenantId of ["acme", "globex"]) {
      await source.findSessions!({ tenantId, limit: 10 });
      await source.findSessions!({ tenantId, limit: 10 });
    }
    const statements = await prepared(pool);
    expect(statements).toHaveLength(1);
    expect(statements[0]?.name).toMatch(/^agent_inspector_/);
  });

  it("is one of few, however many different lengths of a page are asked for", async () => {
    await writeSession();
    const { pool, source } = openOnOneConnection();
    for (let limit = 1; limit <= 100; limit++) {
      expect((await source.findSessions!({ limit })).items).toHaveLength(1);
    }
    expect(await prepared(pool)).toHaveLength(64);
  });

  it("is sent in full once the connection behind a pooler turns out to be another", async () => {
    await writeSession();
    const { pool, source } = openOnOneConnection();
    const page = await source.findSessions!(search);
    await pool.query("DEALLOCATE ALL");
    expect(await source.findSessions!(search)).toEqual(page);
    expect(await source.findSessions!(search)).toEqual(page);
    expect(await prepared(pool)).toEqual([]);
  });

  it("is sent in full where its name is taken on the connection", async () => {
    await writeSession();
    const { pool, source } = openOnOneConnection();
    const page = await source.findSessions!(search);
    const [statement] = await prepared(pool);
    const other = openOnOneConnection();
    await other.pool.query(`PREPARE ${statement!.name} AS SELECT 1`);
    expect(await other.source.findSessions!(search)).toEqual(page);
    expect(await other.source.findSessions!(search)).toEqual(page);
  });

  it("is that of the table as it is now, also after a migration", async () => {
    await writeSession();
    const { source } = openOnOneConnection();
    const page = await source.findSessions!(search);
    await database.run("ALTER TABLE agent_inspector.sessions ADD COLUMN later text");
    onTestFinished(async () => {
      await database.run("ALTER TABLE agent_inspector.sessions DROP COLUMN later");
    });
    expect(await source.findSessions!(search)).toEqual(page);
  });
});
