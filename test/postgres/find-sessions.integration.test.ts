import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryDataSource } from "../../src/adapters/memory/memory-data-source.js";
import { MemorySessionStore } from "../../src/adapters/memory/memory-session-store.js";
import { MemoryState } from "../../src/adapters/memory/memory-state.js";
import { ListSessions, type SessionQuery } from "../../src/application/questions/list-sessions.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import type { TenantScope } from "../../src/application/sources/scope.js";
import type { InspectorDataSource, SessionStore } from "../../src/index.js";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { useDatabase } from "../support/postgres-database.js";
import { anyText, NOW, type RandomSession, session, word, write } from "../support/random-sessions.js";
import { runs } from "../support/soak.js";

const database = useDatabase();

let source: InspectorDataSource;
let store: SessionStore;
beforeAll(() => {
  const { connectionString } = database;
  source = createPostgresDataSource({ connectionString, now: () => NOW });
  store = createPostgresSessionStore({ connectionString });
});
afterAll(async () => {
  await store.close?.();
  await source.close?.();
});

const query = fc.record({
  tenantId: fc.option(fc.constantFrom("acme", "\u{1F99C}"), { nil: undefined }),
  tenants: fc.constantFrom<TenantScope>(
    "all",
    "all",
    ["acme"],
    ["acme", "\u{1F99C}"],
    ["nobody", "acme"],
    [],
  ),
  userId: fc.option(anyText, { nil: undefined, freq: 1 }),
  status: fc.option(fc.constantFrom("idle", "running", "waiting", "error"), {
    nil: undefined,
  }),
  text: fc.option(word, { nil: undefined }),
  window: fc.record({ limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }) }),
});

type RandomQuery = typeof query extends fc.Arbitrary<infer T> ? T : never;

const MINUTE = 60_000;
const STATUSES = [undefined, "running", "idle"] as const;
const EVERYTHING = {
  tenantId: undefined,
  tenants: "all",
  userId: undefined,
  text: undefined,
  window: { limit: undefined },
} as const;

/** The open call may take seven minutes. */
const openCall = (callAt: number, turnAt: number, createdAt: number): RandomSession => ({
  tenantId: "acme",
  sessionId: "s",
  userId: "u",
  title: undefined,
  createdAt,
  steps: [
    {
      type: "tool.start",
      toolCallId: "c1",
      call: { toolName: "shell", input: { timeout_ms: 7 * MINUTE } },
      outcome: undefined,
      traceId: "t1",
      at: callAt,
      isOrchestration: false,
    },
  ],
  turns: [{ tokens: 1, at: turnAt }],
});

/** The clock decides: a call may still run beside a record of the future; another one is over, a moment after a record of its session. */
const BY_CLOCK = [
  openCall(NOW, NOW, NOW + 60 * MINUTE),
  openCall(NOW - 7.5 * MINUTE, NOW - MINUTE, NOW - 9 * MINUTE),
];

async function pagesOf(list: ListSessions, wanted: SessionQuery): Promise<string[]> {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list.execute({ ...wanted, window: { ...wanted.window, cursor } });
    if (page.isUnchanged) throw new Error("no revision was given");
    let text = "";
    for await (const piece of page.texts) text += new TextDecoder().decode(piece);
    pages.push(text);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

describe("findSessions", () => {
  it("answers what the inspector makes of the whole list, for every filter, order and page", async () => {
    const sessions = fc.uniqueArray(session, {
      selector: ({ tenantId, sessionId }) => `${tenantId}/${sessionId}`,
      minLength: 1,
      maxLength: 8,
    });
    const queries = fc.array(query, { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sessions, queries, async (written, wanted) => {
        await database.empty();
        const memory = new MemoryState();
        await Promise.all(written.map((one) => write(store, one)));
        for (const one of written) await write(new MemorySessionStore(memory), one);
        const naive = new ListSessions(asDataSource(new MemoryDataSource(memory, () => NOW)));
        const pushedDown = new ListSessions(source);
        for (const one of wanted) expect(await pagesOf(pushedDown, one)).toEqual(await pagesOf(naive, one));
      }),
      {
        numRuns: runs(60),
        examples: BY_CLOCK.map((one): [RandomSession[], RandomQuery[]] => [
          [one],
          STATUSES.map((status) => ({ ...EVERYTHING, status })),
        ]),
      },
    );
  }, 120_000);

  it("finds nothing behind a place that no session can have", async () => {
    const after = { lastActive: "\u0000", tenantId: "\u0000", sessionId: "\ud800" };
    expect(await source.findSessions?.({ after, limit: 1 })).toStrictEqual({ items: [] });
  });

  it("lists more sessions than it reads at a time", async () => {
    await database.run(`INSERT INTO agent_inspector.sessions
      SELECT 't', 's' || n, gen_random_uuid(), 0, '', NULL, NULL, '', NULL, n, NULL, NULL,
        '2026-01-15T12:00:00.000Z', int4send(n), 'idle', 0, 0, 0, 0, 0, '{"activity":{}}', '{"activity":{}}', 0, 0, 0, 0, 0
      FROM generate_series(1, 2500) AS n`);
    const items = await source.listSessions();
    expect(items.map(({ sessionId }) => sessionId)).toEqual(
      Array.from({ length: 2_500 }, (_, n) => `s${n + 1}`),
    );
  });
});
