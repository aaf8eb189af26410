import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { expectGoodBesideHostile } from "../support/hostile-instants/answers.js";
import { type PlannedSession, planned, plannedRecords } from "../support/hostile-instants/histories.js";
import { ownSource, writeTo } from "../support/neighbours/recorded-sources.js";

async function memorySource(sessions: readonly PlannedSession[]): Promise<InspectorDataSource> {
  const source = createInMemoryInspectorDataSource([]);
  for (const session of sessions)
    expect(await writeTo(source.sessionStore, plannedRecords(session)), session.id).toEqual([]);
  return source;
}

async function objectSource(sessions: readonly PlannedSession[]): Promise<InspectorDataSource> {
  const source = ownSource(sessions.map(plannedRecords), false);
  const rows = await source.listSessions();
  return { ...source, listSessions: async () => rows.map((row, i) => planned(row, sessions[i]!)) };
}

it.each([
  ["memory", memorySource, 3, 0],
  ["an object with the five methods", objectSource, 7, 1],
] as const)(
  "In %s, sessions with hostile instants cost nothing of a session beside them",
  {
    timeout: 120_000,
  },
  async (_, open, turn, leastWarnings) => {
    expect(await expectGoodBesideHostile(open, turn)).toBeGreaterThanOrEqual(leastWarnings);
  },
);
