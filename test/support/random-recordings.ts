import fc from "fast-check";
import { expect } from "vitest";
import type { RecordedSession, RecordedTrace } from "../../src/application/recording/recorded-session.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { NO_USAGE } from "../../src/domain/usage/token-usage.js";
import type { InspectorDataSource, SessionKey, SessionStore } from "../../src/index.js";
import { NOON } from "../contract/fixture.js";
import { type Delay, delayedStore } from "./delayed-store.js";

interface Step {
  readonly session: number;
  readonly does: "reopen" | "title" | "error" | "tool" | "call" | "message" | "compact" | "turn" | "agent";
  readonly isAwaited: boolean;
}

const SESSIONS = 3;

export const recordings: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    session: fc.nat(SESSIONS - 1),
    does: fc.constantFrom(
      ...(["reopen", "title", "error", "tool", "call", "message", "compact", "turn", "agent"] as const),
    ),
    isAwaited: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

const turnsOfTheLoop = fc.nat(3);

export const delays: fc.Arbitrary<readonly Delay[]> = fc.array(
  fc.record({ before: turnsOfTheLoop, after: turnsOfTheLoop }),
  { minLength: 1, maxLength: 10 },
);

export const outages: fc.Arbitrary<readonly Delay[]> = fc.array(
  fc.record({
    before: turnsOfTheLoop,
    after: turnsOfTheLoop,
    isAway: fc.constantFrom(undefined, undefined, undefined, undefined, "before" as const, "after" as const),
  }),
  { minLength: 11, maxLength: 20 },
);

/** Repeats the delays in a cycle. After the first cycle the store stays available. */
export function storeWithDelays(inner: SessionStore, list: readonly Delay[]): SessionStore {
  let calls = 0;
  return delayedStore(inner, () => {
    const { isAway, ...delay } = list[calls % list.length]!;
    return calls++ < list.length ? { ...delay, isAway } : delay;
  });
}

interface Recorded {
  title: string;
  errors: number;
  turns: number;
  tokens: number;
  messages: unknown[];
  events: string[];
  agents: number;
}

function nothingIn(session: number): Recorded {
  return {
    title: `Title of ${session}`,
    errors: 0,
    turns: 0,
    tokens: 0,
    messages: [],
    events: [],
    agents: 0,
  };
}

/**
 * Makes calls one after the other, most without `await`, and waits until they are stored.
 * @returns the expected state of each session
 */
export async function recordSteps(
  recorder: SessionRecorder,
  tenantId: string,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, Recorded>> {
  const open = async (session: number) => {
    const opened = await recorder.open({ tenantId, sessionId: `s${session}`, title: `Title of ${session}` });
    return { session: opened, trace: opened.startTrace() };
  };
  const opened = await Promise.all(Array.from({ length: SESSIONS }, (_, i) => open(i)));
  const recorded = opened.map((_, i) => nothingIn(i));
  const pending: Promise<void>[] = [];
  for (const [i, { session, does, isAwaited }] of steps.entries()) {
    if (does === "reopen") opened[session] = await open(session);
    else pending.push(recordStep(does, i, opened[session]!, recorded[session]!));
    if (isAwaited) await pending.at(-1);
  }
  await Promise.all(pending);
  expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
  return new Map(recorded.map((one, i) => [`s${i}`, one]));
}

function recordStep(
  does: Exclude<Step["does"], "reopen">,
  i: number,
  { session, trace }: { readonly session: RecordedSession; readonly trace: RecordedTrace },
  recorded: Recorded,
): Promise<void> {
  const event = (own: { readonly type: string; readonly [name: string]: unknown }) => {
    recorded.events.push(`${trace.traceId} ${i}`);
    return trace.record({ ...own, i } as { type: "x"; i: number });
  };
  switch (does) {
    case "title":
      recorded.title = `Title ${i}`;
      return session.setTitle(recorded.title);
    case "error":
      recorded.errors++;
      return event({ type: "error", error: { message: "overloaded" } });
    case "tool":
      recorded.errors++;
      return event({ type: "tool.end", toolCallId: `t${i}`, toolName: "Bash", isError: true });
    case "call":
      recorded.tokens += i + 1;
      return event({ type: "llm.end", callId: `c${i}`, model: "a-model", usage: { inputTokens: i + 1 } });
    case "message":
      recorded.messages.push({ i });
      return session.appendMessages([{ i }]);
    case "compact":
      recorded.messages = [{ i }];
      return session.compactMessages([{ i }]);
    case "turn":
      recorded.turns++;
      return session.recordTurn();
    case "agent":
      recorded.agents++;
      return session.recordOrchestration({ type: "agent_input_queued", input: { agentId: `a${i}` } });
    default:
      return does satisfies never;
  }
}

/**
 * Calls of a store; none waits for the previous one.
 * @returns the expected state of each session
 */
async function callInOrder(
  store: SessionStore,
  tenantId: string,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, Recorded>> {
  const recorded = Array.from({ length: SESSIONS }, (_, i) => nothingIn(i));
  const openings = recorded.map((_, session): Step => ({ session, does: "reopen", isAwaited: false }));
  const calls = [...openings, ...steps].map(async ({ session, does }, i) => {
    const own = recorded[session]!;
    const key = { tenantId, sessionId: `s${session}` };
    const turns = own.turns;
    if (does !== "reopen") return callStep(store, key, does, i, own);
    const title = `Title of ${session}`;
    const opened = await store.openSession({ ...key, userId: "ada", title, createdAt: NOON, errors: 0 });
    expect(opened).toEqual({ turns });
  });
  await Promise.all(calls);
  return new Map(recorded.map((one, i) => [`s${i}`, one]));
}

function callStep(
  store: SessionStore,
  key: SessionKey,
  does: Exclude<Step["does"], "reopen">,
  i: number,
  recorded: Recorded,
): Promise<unknown> {
  const updatedAt = NOON + i;
  const timestamp = new Date(updatedAt).toISOString();
  const trace = (errors: number, type: string) => {
    recorded.events.push(`t ${i}`);
    recorded.errors += errors;
    const envelope = { ...key, id: `${key.sessionId}-${i}`, timestamp, sequence: i, traceId: "t" };
    return Promise.all([
      store.appendTraceEnvelopes(key, [{ ...envelope, source: "runtime", event: { type, i } }]),
      store.updateSession(key, { errors, updatedAt }),
    ]);
  };
  switch (does) {
    case "title":
      recorded.title = `Title ${i}`;
      return store.updateSession(key, { title: recorded.title, updatedAt });
    case "error":
    case "tool":
      return trace(1, "error");
    case "call":
      return trace(0, "text");
    case "message":
      recorded.messages.push({ i });
      return store.appendMessages(key, [{ i }]);
    case "compact":
      recorded.messages = [{ i }];
      return store.replaceMessages(key, [{ i }]);
    case "turn":
      recorded.tokens += i + 1;
      return store.appendTurn(key, {
        ...NO_USAGE,
        inputTokens: i + 1,
        turnIndex: recorded.turns++,
        updatedAt,
      });
    case "agent": {
      recorded.agents++;
      const event = { type: "agent_input_queued", input: { agentId: `a${i}` } };
      const id = `${key.sessionId}-${i}`;
      return store.appendOrchestrationEvents(key, [{ ...event, eventId: id, occurredAt: timestamp }]);
    }
    default:
      return does satisfies never;
  }
}

export const WRITERS: readonly (readonly [
  name: string,
  write: (
    store: SessionStore,
    tenantId: string,
    steps: readonly Step[],
  ) => Promise<ReadonlyMap<string, Recorded>>,
])[] = [
  ["was called for at once", callInOrder],
  [
    "a recorder with `onError` recorded",
    (store, ...what) => recordSteps(new SessionRecorder(store, { onError: () => undefined }), ...what),
  ],
  [
    "a recorder without `onError` recorded",
    (store, ...what) => recordSteps(new SessionRecorder(store), ...what),
  ],
];

export async function expectRecorded(
  source: InspectorDataSource,
  tenantId: string,
  recorded: ReadonlyMap<string, Recorded>,
): Promise<void> {
  const listed = (await source.listSessions()).filter((session) => session.tenantId === tenantId);
  expect(listed).toHaveLength(recorded.size);
  for (const { sessionId, title, errors, turns, tokens } of listed) {
    const envelopes = await source.loadTraceEnvelopes(tenantId, sessionId);
    const events = envelopes.map(({ traceId, event }) => `${traceId} ${event.i}`);
    const sequences = envelopes.map(({ traceId, sequence }) => `${traceId} ${sequence}`);
    const messages = await source.loadMessages(tenantId, sessionId);
    const agents = (await source.loadOrchestrationEvents(tenantId, sessionId)).length;
    expect({ title, errors, turns, tokens, messages, events, agents }).toEqual(recorded.get(sessionId));
    expect(new Set(sequences).size).toBe(events.length);
  }
}
