import { expect, it, onTestFinished } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { answersAlone, expectSameBeside } from "../support/neighbours/compare-beside.js";
import { GOOD, goodSession, hostileSessions, writeTo } from "../support/neighbours/recorded-sources.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

it("In PostgreSQL, hostile records cost nothing of a session beside them", { timeout: 120_000 }, async () => {
  const { connectionString } = database;
  const store = createPostgresSessionStore({ connectionString });
  const source = createPostgresDataSource({ connectionString });
  onTestFinished(async () => {
    await store.close?.();
    await source.close?.();
  });
  expect(await writeTo(store, goodSession)).toEqual([]);
  const expected = await answersAlone(source, GOOD);
  const hostile = hostileSessions();
  const refused = await Promise.all(hostile.map((session) => writeTo(store, session)));
  // Nothing but names that are too long.
  const reasons = new Set(refused.flat().map(String));
  expect([...reasons]).toEqual(["RecordingError: Ids must not be longer than 500 characters."]);
  const { sessions } = await expectSameBeside(source, GOOD, expected);
  expect(sessions.length).toBeGreaterThan(30);
});
