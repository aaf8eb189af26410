import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresDataSource, migratePostgres } from "../../src/postgres.js";
import { startServer, type TestServer } from "../support/postgres-server.js";
import { sized } from "../support/soak.js";
import { countOf, everyRecord, readUntil, runWriters } from "../support/writer-processes.js";

const SESSIONS = 50;
const WRITERS = sized(2, 8);
/** Each writer's. */
const RECORDS = sized(1_000, 10_000);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe("Many processes that write to the same sessions", () => {
  it("store every record once and in order, and no reader sees a call in part", async () => {
    const connectionString = await server.createDatabase();
    await migratePostgres({ connectionString });
    const source = createPostgresDataSource({ connectionString });
    const writing = runWriters({ connectionString, writers: WRITERS, records: RECORDS, sessions: SESSIONS });
    const [acknowledged, ...readings] = await Promise.all([
      writing,
      readUntil(writing, source, SESSIONS),
      readUntil(writing, source, SESSIONS),
    ]);
    await source.close?.();
    expect(Math.min(...readings)).toBeGreaterThan(10);
    expect(countOf(acknowledged)).toBe(WRITERS * RECORDS);
    expect(await everyRecord(connectionString, SESSIONS)).toEqual(acknowledged);
  }, 300_000);
});
