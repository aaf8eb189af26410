import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { createPostgresDataSource, migratePostgres } from "../../src/postgres.js";
import { type OwnServer, startOwnServer } from "../support/postgres-server.js";
import {
  type Acknowledged,
  countOf,
  everyRecord,
  readUntil,
  runWriters,
} from "../support/writer-processes.js";

const SESSIONS = 50;
const WRITERS = 8;
const KILLS = 5;
/** Each writer's. */
const RECORDS = 10_000;

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer();
});
afterAll(() => server.stop());

it("Many processes that write to the same sessions lose nothing that was acknowledged, and double nothing, when the server is killed again and again", async () => {
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
  expect(await everyRecord(connectionString, SESSIONS)).toEqual(acknowledged);
}, 300_000);
