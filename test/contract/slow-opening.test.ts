import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe } from "vitest";
import { openSqlite } from "../../examples/sqlite-store/sqlite-store.js";
import type { SessionStore } from "../../src/application/ports/session-store.js";
import { describeSessionStore } from "./index.js";

type Open = SessionStore["openSession"];

const AFTER_OPENING = "after the opening that it follows without waiting";
const BETWEEN_OPENINGS = "between two openings in their order";

/** Openings that let later calls overtake them, and names of the tests that must fail then. */
const BROKEN: readonly (readonly [
  name: string,
  slow: (open: Open, countTurns: (sessionId: string) => Promise<number>) => Open,
  failing: readonly string[],
])[] = [
  [
    "waits before it does anything",
    (open) => async (start) => {
      await delay(1);
      return open(start);
    },
    [AFTER_OPENING, BETWEEN_OPENINGS],
  ],
  [
    "waits after it has counted the turns",
    (open, countTurns) => async (start) => {
      const turns = await countTurns(start.sessionId);
      await delay(1);
      await open(start);
      return { turns };
    },
    [AFTER_OPENING],
  ],
];

describe.each(BROKEN)("The contract holds against a store whose opening %s:", (_, slow, failing) => {
  beforeEach(({ task }) => {
    Object.assign(task, { fails: failing.some((part) => task.name.includes(part)) });
  });

  describeSessionStore("it", () => {
    const { store, source } = openSqlite(":memory:");
    const countTurns = async (sessionId: string) =>
      (await source.listSessions()).find((session) => session.sessionId === sessionId)?.turns ?? 0;
    return { store: { ...store, openSession: slow(store.openSession, countTurns) }, source };
  });
});
