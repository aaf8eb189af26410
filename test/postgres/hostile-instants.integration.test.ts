import { expect, it, onTestFinished } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { expectGoodBesideHostile } from "../support/hostile-instants/answers.js";
import { plannedRecords } from "../support/hostile-instants/histories.js";
import { writeTo } from "../support/neighbours/recorded-sources.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

it("In PostgreSQL, sessions with hostile instants cost nothing of a session beside them", {
  timeout: 120_000,
}, async () => {
  const { connectionString } = database;
  const store = createPostgresSessionStore({ connectionString });
  const source = createPostgresDataSource({ connectionString });
  onTestFinished(async () => {
    await store.close?.();
    await source.close?.();
  });
  const stored = new Set<string>();
  await expectGoodBesideHostile(async (plans) => {
    for (const plan of plans.filter(({ id }) => !stored.has(id))) {
      stored.add(plan.id);
      expect(await writeTo(store, plannedRecords(plan)), plan.id).toEqual([]);
    }
    return source;
  }, 5);
});
