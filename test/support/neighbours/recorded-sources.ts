import type { SessionKey } from "../../../src/domain/session/session-key.js";
import type { InspectorDataSource, JsonObject, SessionStore } from "../../../src/index.js";
import { sized } from "../soak.js";
import { HOSTILE_IDS, HOSTILE_VALUES } from "./hostile-values.js";
import type { Asked } from "./interview.js";
import { type Lines, planted, sound } from "./plant.js";
import { LOG, MESSAGES, ORCHESTRATION, recordedSession, TRACE } from "./recorded.js";

export interface RecordedSession {
  readonly name: string;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly lines: Lines;
}

export const GOOD: Asked = { tenantId: "shop", sessionId: "good-0001", text: "lantern" };

function session(name: string, { tenantId, sessionId }: SessionKey, lines: Lines): RecordedSession {
  return { name, tenantId, sessionId, lines };
}

export const goodSession = session(
  "the good one",
  GOOD,
  sound(recordedSession(GOOD.tenantId, GOOD.sessionId, GOOD.text)),
);

export function hostileSessions(): readonly RecordedSession[] {
  return allHostileSessions().filter((_, i) => i % sized(3, 1) === 0);
}

function allHostileSessions(): readonly RecordedSession[] {
  const natural = (tenantId: string, sessionId: string) => recordedSession(tenantId, sessionId, "pebble");
  const values = HOSTILE_VALUES.map((value, i) => {
    const key = { tenantId: "shop", sessionId: `value-${i}` };
    return session(value.name, key, planted(natural(key.tenantId, key.sessionId), value, i));
  });
  // No folder or file has names like these.
  const others = [["x".repeat(20_000)], ['"\\'.repeat(300)], ["../../a"], ["a/b"], ["a\u0000b\r\n"]] as const;
  const ids = [...HOSTILE_IDS, ...others].flatMap(([id]) =>
    [
      { tenantId: "shop", sessionId: id },
      { tenantId: id, sessionId: "session" },
    ].map((key) => session(`the name ${id.slice(0, 20)}`, key, sound(natural(key.tenantId, key.sessionId)))),
  );
  const thief = session(
    "the same session of another tenant",
    { ...GOOD, tenantId: "thief" },
    goodSession.lines,
  );
  return [...values, ...ids, thief];
}

const parsed = (lines: readonly string[] = []) => lines.map((line) => JSON.parse(line) as JsonObject);

/** Passes all records to a store without waits in between. @returns the refusals */
export async function writeTo(
  store: SessionStore,
  { tenantId, sessionId, lines }: RecordedSession,
): Promise<unknown[]> {
  const key = { tenantId, sessionId };
  const writes = [
    store.openSession({ ...key, userId: "ada", createdAt: Date.UTC(2026, 0, 15, 12) }),
    ...parsed(lines[LOG]).map((record) => {
      if (record.type === "turn") return store.appendTurn(key, record as never);
      if (record.type === "update") return store.updateSession(key, record as never);
      return store.openSession({ ...record, ...key } as never);
    }),
    store.appendTraceEnvelopes(key, parsed(lines[TRACE]) as never),
    store.appendOrchestrationEvents(key, parsed(lines[ORCHESTRATION]) as never),
    store.appendMessages(key, parsed(lines[MESSAGES])),
  ];
  const results = await Promise.allSettled(writes);
  return results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
}

/** The five methods; its list has elements that are no sessions, and sessions with invalid members. */
export function ownSource(sessions: readonly RecordedSession[], isHostile: boolean): InspectorDataSource {
  const find = (tenantId: string, sessionId: string) =>
    sessions.find((one) => one.tenantId === tenantId && one.sessionId === sessionId)?.lines ?? {};
  const load = (file: string) => async (tenantId: string, sessionId: string) =>
    parsed(find(tenantId, sessionId)[file]) as never;
  const row = {
    userId: "ada",
    lastActive: "2026-01-15T12:00:31.000Z",
    createdAt: "2026-01-15T12:00:00.000Z",
    turns: 1,
    tokens: 154,
    status: "idle",
    title: "The session",
    directory: "/home/ada",
    usage: { inputTokens: 100, outputTokens: 54, cacheReadTokens: 0, cacheWriteTokens: 0 },
    usageByModel: [
      {
        model: "claude-sonnet-4-5",
        at: 1_768_478_400_000,
        calls: 1,
        contextTokens: 5,
        usage: { inputTokens: 100, outputTokens: 54, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
    ],
    errors: 1,
    warnings: 2,
    model: "claude-sonnet-4-5",
    prompt: "Where?",
    lastAnswer: "There.",
  };
  const rows = sessions.map(({ tenantId, sessionId }) => ({ ...row, tenantId, sessionId }));
  const odd = HOSTILE_VALUES.flatMap((value, i) =>
    Object.values(
      planted({ row: [JSON.stringify({ ...row, tenantId: "odd", sessionId: `row-${i}` })] }, value, i),
    )
      .flat()
      .map((text) => JSON.parse(text) as object),
  );
  const none = [
    null,
    undefined,
    5,
    "x",
    [],
    {},
    { sessionId: "" },
    { sessionId: {} },
    () => 1,
    Symbol("x"),
    1n,
  ];
  return {
    listSessions: async () => (isHostile ? [...none, ...odd, ...rows] : rows) as never,
    loadTraceEnvelopes: load(TRACE),
    loadOrchestrationEvents: load(ORCHESTRATION),
    loadOrchestrationState: async () => null,
    loadMessages: load(MESSAGES),
  };
}
