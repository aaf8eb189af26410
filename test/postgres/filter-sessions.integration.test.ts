import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { matchSession } from "../../src/domain/filter/match-session.js";
import { parseFilter } from "../../src/domain/filter/parse-filter.js";
import type { SessionFilter } from "../../src/domain/filter/session-filter.js";
import type { ListedSession } from "../../src/domain/session/model-usage.js";
import { compareSessions, type SessionSortKey } from "../../src/domain/session/session.js";
import { TimeZone } from "../../src/domain/trace/time-zone.js";
import type { InspectorDataSource } from "../../src/index.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
} from "../../src/postgres.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const KELVIN = "\u212A";
const USAGE = { inputTokens: 500, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };

const TENANTS = ["acme", "ACME", "shop", `${KELVIN}ilo`, "kilo", "\u0130zmir", "a_b", "axb", "Straße", "x*y"];
const FOLDERS = [undefined, "/srv/Shop", "C:\\work\\shop\\", "/", "/srv/a%b", "/srv/caf\u00e9", "kilo"];
const MODELS = [undefined, "claude-Opus-4", "gpt-5", `${KELVIN}2`, 'we"ird\\', "", "é-large"];
const TITLES = [undefined, "Fix 100% of it", "fix\u0000", "ΣΑΣ", "broken \ud83d"];
const PROMPTS = [undefined, "Why is the IMPORT slow?", "\u0130stanbul", "it's 50_50 \\ done"];
const ERRORS = [0, undefined, 3, 1, 0];
const STATUSES = ["idle", "error", "running"] as const;

function of<T>(values: readonly T[], n: number): T {
  return values[n % values.length]!;
}

const SESSIONS = Array.from({ length: 70 }, (_, n): ListedSession => {
  const [model, other] = [of(MODELS, n), of(MODELS, n * 3 + 1)];
  const lastActive = NOW - of([0, 1, 30, 30, 700], n) * HOUR - (n % 6);
  const usage = { ...USAGE, inputTokens: n % 3 === 1 ? 500 : 5_000 };
  const used = { at: lastActive, contextTokens: 500, calls: 1, usage };
  const [directory, title, prompt] = [of(FOLDERS, n), of(TITLES, n), of(PROMPTS, n)];
  const errors = of(ERRORS, n);
  return {
    tenantId: of(TENANTS, n),
    sessionId: `s-${n}`,
    userId: of(["ada", "Ada", "", "bob"], n),
    lastActive: new Date(lastActive).toISOString(),
    turns: n % 4,
    tokens: n % 3 === 0 ? 0 : usage.inputTokens + usage.outputTokens,
    status: of(STATUSES, n),
    ...(n % 5 === 0 ? {} : { createdAt: new Date(lastActive - (n % 9) * HOUR).toISOString() }),
    ...(n % 3 === 0 ? {} : { usage, usageByModel: [other ? { ...used, model: other } : used] }),
    ...(directory === undefined ? {} : { directory }),
    ...(title === undefined ? {} : { title }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(model === undefined ? {} : { model }),
    ...(errors === undefined ? {} : { errors }),
  };
});

/** `narrows`: the database can leave out sessions that do not match. */
const FILTERS: readonly (readonly [filter: string | SessionFilter, narrows: boolean])[] = [
  // Instants that no year of four digits has.
  [{ is: "number", field: "after", least: -9e14, most: 9e14, isOpen: true }, false],
  [{ is: "number", field: "after", least: 9e14, most: Infinity, isOpen: false }, true],
  ["", false],
  ["tenant:acme", true],
  ["tenant:Acme,KILO", true],
  ["tenant:shop", true],
  ['tenant:"/srv/shop"', true],
  ["tenant:c:\\work\\SHOP\\", true],
  ["tenant:*s*", true],
  ["tenant:a_b OR tenant:*%b", true],
  ["tenant:/", true],
  ['tenant:"i\u0307zmir"', true],
  ["tenant:\u0130zm*", true],
  ["tenant:café OR tenant:STRASSE OR tenant:straße", true],
  ['tenant:"x*y"', true],
  ["-tenant:acme", true],
  ["tenant:i*", true],
  ["-tenant:i*", true],
  ["-(tenant:kilo errors:0)", true],
  ["-(tenant:kilo tool:search)", false],
  ["tenant:acme OR tool:search", false],
  ["tenant:acme -tool:search cost:>1", true],
  ["session:S-7 OR session:s-1*", true],
  ["user:ada -user:b*", true],
  ['user:""', true],
  ["status:running OR status:error", true],
  ["-status:idle", true],
  ["status:waiting", true],
  ["title:fix", true],
  ["title:σας", true],
  ["-title:100%", true],
  ["import OR s-12", true],
  ["-import -ada", true],
  ["i\u0307stan OR 50_50", true],
  ["it", true],
  ["\\ done", true],
  ["model:opus", true],
  ["model:k2 OR model:gpt", true],
  ["-model:opus", true],
  ['model:"we\\"ird"', false],
  ["model:É-Large", true],
  ["model:late", true],
  ["label:x", true],
  ["-label:x", false],
  ["tokens:>1k", true],
  ["-tokens:>1k", true],
  ["tokens:520", true],
  ["turns:1..2 -turns:2", true],
  ["error", true],
  ["-error", true],
  ["errors:>2 OR errors:0", true],
  ["error:timeout", true],
  ["duration:>2h", true],
  ["-duration:<=2h", true],
  ["after:2026-01-14T06:00:00Z", true],
  ["after:2d before:30h", true],
  ["-after:30h", true],
  ["-before:1d", true],
  ["file:a agents:>1 role:x calls:>1 compactions:0 edited:b", false],
];

async function recordUncounted(connectionString: string): Promise<void> {
  const store = createPostgresSessionStore({ connectionString });
  const key = { tenantId: "acme", sessionId: "uncounted" };
  await store.openSession({ ...key, userId: "ada", createdAt: NOW - HOUR });
  const envelope = { ...key, source: "runtime" as const, traceId: "t1" };
  const events = [
    { type: "turn.start", turnIndex: 0 },
    { type: "llm.start", callId: "c1", model: "Late-Model" },
    { type: "llm.end", callId: "c1", model: "Late-Model", usage: USAGE },
  ];
  const timestamp = new Date(NOW).toISOString();
  await store.appendTraceEnvelopes(
    key,
    events.map((event, sequence) => ({ ...envelope, id: `e${sequence}`, timestamp, sequence, event })),
  );
  await store.close?.();
}

let source: InspectorDataSource;
let listed: readonly ListedSession[];
beforeAll(() => {
  source = createPostgresDataSource({ connectionString: database.connectionString, now: () => NOW });
});
afterAll(() => source.close?.());

/** In pages of three. */
async function found(search: Parameters<NonNullable<InspectorDataSource["findSessions"]>>[0]) {
  const sessions: ListedSession[] = [];
  let after: SessionSortKey | undefined;
  for (;;) {
    const { items } = await source.findSessions!({ ...search, after, limit: 3 });
    sessions.push(...items);
    after = items[2];
    if (after === undefined) return sessions;
  }
}

describe("A filter", () => {
  it("leaves out only what it certainly does not mean, in the order of the list", async () => {
    const { connectionString } = database;
    const from: InspectorDataSource = {
      listSessions: async () => [...SESSIONS],
      loadTraceEnvelopes: async () => [],
      loadOrchestrationEvents: async () => [],
      loadOrchestrationState: async () => null,
      loadMessages: async () => [],
    };
    await importIntoPostgres(from, { connectionString });
    await recordUncounted(connectionString);
    listed = (await source.listSessions()).sort(compareSessions);
    expect(listed).toHaveLength(SESSIONS.length + 1);
    const clock = { now: NOW, zone: TimeZone.named("UTC")! };
    for (const [typed, narrows] of FILTERS) {
      const text = typeof typed === "string" ? typed : JSON.stringify(typed);
      const { filter, problem } =
        typeof typed === "string" ? parseFilter(typed, clock) : { filter: typed, problem: undefined };
      if (filter === undefined) throw new Error(`${text}: ${problem.message}`);
      const matches = matchSession(filter);
      const verdicts = (sessions: readonly ListedSession[]) =>
        sessions
          .map((one) => [one.sessionId, matches(one)] as const)
          .filter(([, isMeant]) => isMeant !== false);
      const sessions = await found({ filter });
      expect(verdicts(sessions), text).toEqual(verdicts(listed));
      expect(sessions.length < listed.length, `${text}: ${sessions.length}`).toBe(narrows);
    }
    const activeFrom = NOW - 30 * HOUR;
    const active = await found({ activeFrom, tenants: ["acme", "shop"] });
    expect(active.map(({ sessionId }) => sessionId)).toEqual(
      listed
        .filter(({ tenantId }) => tenantId === "acme" || tenantId === "shop")
        .filter(({ lastActive }) => Date.parse(lastActive) >= activeFrom)
        .map(({ sessionId }) => sessionId),
    );
  });
});
