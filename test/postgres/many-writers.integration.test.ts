import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { createPostgresDataSource, migratePostgres } from "../../src/postgres.js";
import { type OwnServer, startOwnServer } from "../support/postgres-server.js";
import { sized } from "../support/soak.js";
import {
  type Acknowledged,
  countOf,
  readSession,
  readUntil,
  runWriters,
} from "../support/writer-processes.js";

const SESSIONS = 50;
const WRITERS = sized(3, 8);
const KILLS = sized(1, 5);
/** Each writer's. */
const RECORDS = sized(1_000, 10_000);

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer();
});
afterAll(() => server.stop());

async function everyRecord(connectionString: string): Promise<Map<string, number>> {
  const source = createPostgresDataSource({ connectionString });
  const found = new Map<string, number>();
  for (let session = 0; session < SESSIONS; session++) {
    for (const [key, records] of await readSession(source, session)) found.set(key, records);
  }
  await source.close?.();
  return found;
}

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
    expect(await everyRecord(connectionString)).toEqual(acknowledged);
  }, 300_000);

  it("lose nothing that was acknowledged, and double nothing, when the server is killed again and again", async () => {
    const connectionString = await server.createDatabase();
    await migratePostgres({ connectionString });
    const source = createPostgresDataSource({ connectionString });
    const acknowledged: Acknowledged = new Map();
    const size = { writers: WRITERS, records: RECORDS, sessions: SESSIONS };
    const writing = runWriters({ connectionString, ...size }, acknowledged);
    const killing = (async () => {
      for (let kills = 1; kills <= KILLS; kills++) {
        const enough = (WRITERS * RECORDS * kills) / (KILLS + 2);
        await vi.waitUntil(() => countOf(acknowledged) >= enough, { timeout: 300_000, interval: 20 });
        await server.killAndRestart();
      }
      return "killed" as const;
    })();
    const isExpected = (error: unknown) => error instanceof SourceUnavailableError;
    const first = await Promise.race([killing, writing]);
    await Promise.all([writing, killing, readUntil(writing, source, SESSIONS, isExpected)]);
    await source.close?.();
    expect(first).toBe("killed");
    expect(countOf(acknowledged)).toBe(WRITERS * RECORDS);
    expect(await everyRecord(connectionString)).toEqual(acknowledged);
  }, 300_000);
});
