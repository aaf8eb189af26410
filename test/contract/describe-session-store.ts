import { afterEach, describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type { SessionStore } from "../../src/application/ports/session-store.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";

export interface ContractStore {
  readonly store: SessionStore;
  readonly source: InspectorDataSource;
}

const KEY = { tenantId: "acme", sessionId: "s1" };
const NOON = Date.UTC(2026, 0, 15, 12);
const START = { ...KEY, userId: "ada", title: "First", createdAt: NOON };
const CALL_USAGE = {
  inputTokens: 1,
  outputTokens: 4,
  cacheReadTokens: 0,
  cacheWriteTokens: 2,
  cacheWrite1hTokens: 2,
};
const USAGE = { inputTokens: 3, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0 };

const FOLLOWING: readonly (readonly [name: string, call: (store: SessionStore) => Promise<void>])[] = [
  ["updateSession", (store) => store.updateSession(KEY, { title: "Second", updatedAt: NOON })],
  ["appendTurn", (store) => store.appendTurn(KEY, { ...USAGE, turnIndex: 0, updatedAt: NOON })],
  ["appendTraceEnvelopes", (store) => store.appendTraceEnvelopes(KEY, [envelope(0, { type: "x" })])],
  [
    "appendOrchestrationEvents",
    (store) => {
      const event = { type: "run_started", eventId: "e1", occurredAt: new Date(NOON).toISOString() };
      return store.appendOrchestrationEvents(KEY, [event]);
    },
  ],
  ["appendMessages", (store) => store.appendMessages(KEY, [{ n: 1 }])],
  ["replaceMessages", (store) => store.replaceMessages(KEY, [{ n: 1 }])],
];

function envelope(sequence: number, event: WorkflowTraceEventEnvelope["event"]): WorkflowTraceEventEnvelope {
  const timestamp = new Date(NOON + sequence).toISOString();
  return { ...KEY, id: `e${sequence}`, timestamp, sequence, source: "runtime", traceId: "t1", event };
}

/**
 * The contract of `SessionStore` as a test suite (Vitest).
 * @param createStore a store without sessions, and a data source that reads it. Each test closes both
 * @example
 * describeSessionStore("MyStore", async () => {
 *   const database = await openEmptyDatabase();
 *   return { store: new MyStore(database), source: new MySource(database) };
 * });
 */
export function describeSessionStore(
  name: string,
  createStore: () => ContractStore | Promise<ContractStore>,
): void {
  describe(`${name} as a SessionStore`, () => {
    const opened: ContractStore[] = [];
    afterEach(async () => {
      for (const { store, source } of opened.splice(0)) {
        await store.close?.();
        await source.close?.();
      }
    });
    const open = async () => {
      const made = await createStore();
      opened.push(made);
      return made;
    };

    it("stores what a recorder records", async () => {
      const { store, source } = await open();
      const session = await new SessionRecorder(store).open({ ...KEY, userId: "ada", title: "First" });
      const trace = session.startTrace("t1");
      await trace.record({ type: "turn.start", turnIndex: 0, input: "What fails?" });
      await session.appendMessages([{ role: "user", content: "hello" }]);
      await trace.record({ type: "llm.start", callId: "c1", model: "a-model" });
      await trace.record({ type: "llm.end", callId: "c1", usage: CALL_USAGE });
      await trace.record({ type: "error", error: { message: "overloaded" } });
      await trace.record({ type: "text", text: "All of it." });
      await session.recordOrchestration({ type: "agent_spawned", agent: { id: "a1", role: "r" } });
      await session.recordTurn(USAGE);
      await trace.record({ type: "turn.end", turnIndex: 0, outcome: "failed" });
      await session.setTitle("Second");
      expect(await source.listSessions()).toMatchObject([
        {
          ...KEY,
          userId: "ada",
          title: "Second",
          turns: 1,
          tokens: 7,
          status: "error",
          errors: 1,
          model: "a-model",
          prompt: "What fails?",
          lastAnswer: "All of it.",
          // The turn counts more than its calls: the model of the rest is unknown.
          usageByModel: [
            { model: "a-model", calls: 1, contextTokens: 3, usage: CALL_USAGE },
            { contextTokens: 0, calls: 1, usage: { ...USAGE, inputTokens: 2, outputTokens: 0 } },
          ],
        },
      ]);
      const envelopes = await source.loadTraceEnvelopes("acme", "s1");
      expect(envelopes.map(({ event }) => event.type)).toEqual([
        "turn.start",
        "llm.start",
        "llm.end",
        "error",
        "text",
        "turn.end",
      ]);
      expect(envelopes[0]).toMatchObject({ ...KEY, sequence: 0, source: "runtime", traceId: "t1" });
      expect(await source.loadMessages("acme", "s1")).toEqual([{ role: "user", content: "hello" }]);
      expect(await source.loadOrchestrationEvents("acme", "s1")).toMatchObject([{ type: "agent_spawned" }]);
      const state = await source.loadOrchestrationState("acme", "s1");
      expect(state?.snapshot.agents.a1).toMatchObject({ role: "r" });
    });

    it("counts the turns and tokens of an agent that tells of them in its trace alone", async () => {
      const { store, source } = await open();
      const session = await new SessionRecorder(store).open(KEY);
      const trace = session.startTrace("t1");
      for (const turnIndex of [0, 1]) {
        await trace.record({ type: "turn.start", turnIndex, input: "Go on" });
        await trace.record({ type: "llm.end", callId: `c${turnIndex}`, model: "a-model", usage: CALL_USAGE });
        await trace.record({ type: "turn.end", turnIndex, outcome: "completed" });
      }
      const tokens = 14;
      expect(await source.listSessions()).toMatchObject([{ turns: 2, tokens }]);
      await session.recordTurn();
      expect(await source.listSessions()).toMatchObject([{ turns: 2, tokens }]);
      expect(await store.openSession(START)).toEqual({ turns: 2 });
    });

    it("stores the records of each list in the order of the calls, also when none waits for the one before", async () => {
      const { store, source } = await open();
      const numbers = Array.from({ length: 200 }, (_, i) => i);
      await store.openSession(START);
      await Promise.all(
        numbers.flatMap((i) => [
          store.appendTraceEnvelopes(KEY, [envelope(i, { type: "x", i })]),
          store.appendMessages(KEY, [{ i }]),
        ]),
      );
      const envelopes = await source.loadTraceEnvelopes("acme", "s1");
      expect(envelopes.map(({ event }) => event.i)).toEqual(numbers);
      expect((await source.loadMessages("acme", "s1")).map(({ i }) => i)).toEqual(numbers);
    });

    it.each(FOLLOWING)("stores %s after the opening that it follows without waiting", async (_, call) => {
      const { store, source } = await open();
      const [opened, listed] = await Promise.all([
        store.openSession(START),
        call(store).then(() => source.listSessions()),
      ]);
      expect(opened).toEqual({ turns: 0 });
      expect(listed).toMatchObject([{ ...KEY, userId: "ada" }]);
    });

    it("stores calls between two openings in their order, in many sessions at once", async () => {
      const { store, source } = await open();
      const ids = Array.from({ length: 20 }, (_, i) => `s${String(i).padStart(2, "0")}`);
      const record = async (sessionId: string) => {
        const key = { ...KEY, sessionId };
        const start = { ...START, ...key, errors: 0 };
        const results = await Promise.all([
          store.openSession(start),
          store.updateSession(key, { title: "Second", errors: 1, updatedAt: NOON }),
          store.appendTurn(key, { ...USAGE, turnIndex: 0, updatedAt: NOON }),
          store.updateSession(key, { title: "Third", errors: 1, updatedAt: NOON }),
          store.openSession({ ...start, userId: "eve", title: "ignored" }),
        ]);
        return [results[0], results[4]];
      };
      const opened = await Promise.all(ids.map(record));
      expect(opened).toEqual(ids.map(() => [{ turns: 0 }, { turns: 1 }]));
      const listed = await source.listSessions();
      expect([...listed].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1))).toMatchObject(
        ids.map((sessionId) => ({ sessionId, userId: "ada", title: "Third", errors: 2, turns: 1 })),
      );
    });

    it("stores a beginning that follows other records, and resets nothing with it", async (test) => {
      const { store, source } = await open();
      const early = store.updateSession(KEY, { title: "Second", errors: 1, updatedAt: NOON });
      const isStored = await early.then(
        () => true,
        () => false,
      );
      if (!isStored) test.skip("the store rejects records of a session that is not open");
      await store.appendTurn(KEY, { ...USAGE, errors: 1, turnIndex: 0, updatedAt: NOON });
      expect(await store.openSession({ ...START, errors: 0 })).toEqual({ turns: 1 });
      await store.updateSession(KEY, { errors: 1, updatedAt: NOON });
      expect(await source.listSessions()).toMatchObject([
        { userId: "ada", title: "Second", errors: 3, turns: 1, tokens: 7 },
      ]);
    });

    it("keeps a record as it was when it was given, whatever the caller does to it afterwards", async () => {
      const { store, source } = await open();
      await store.openSession(START);
      const message = { role: "user", content: "before" };
      const call = store.appendMessages(KEY, [message]);
      message.content = "after";
      await call;
      expect(await source.loadMessages("acme", "s1")).toEqual([{ role: "user", content: "before" }]);
    });

    it("keeps messages that are the same, because they have no id", async () => {
      const { store, source } = await open();
      await store.openSession(START);
      const message = { role: "user", content: "yes" };
      await store.appendMessages(KEY, [message, message]);
      await store.appendMessages(KEY, [message]);
      expect(await source.loadMessages("acme", "s1")).toEqual([message, message, message]);
    });

    it("keeps every character of a text", async () => {
      const { store, source } = await open();
      const text = 'a\0b\uD83Dc\uDC00\uFDD0\u2028 \u{1F99C}\r\n\t\\"';
      await store.openSession({ ...START, userId: text, title: text });
      await store.appendMessages(KEY, [{ content: text }]);
      await store.appendTraceEnvelopes(KEY, [envelope(0, { type: "x", text })]);
      expect(await source.listSessions()).toMatchObject([{ userId: text, title: text }]);
      expect(await source.loadMessages("acme", "s1")).toEqual([{ content: text }]);
      expect(await source.loadTraceEnvelopes("acme", "s1")).toMatchObject([{ event: { text } }]);
    });

    it("goes on with a session that is there: its turns are counted on, and its beginning stays", async () => {
      const { store, source } = await open();
      expect(await store.openSession(START)).toEqual({ turns: 0 });
      await store.appendTurn(KEY, { ...USAGE, turnIndex: 0, updatedAt: NOON + 1 });
      const again = { ...START, userId: "eve", title: "ignored", createdAt: NOON + 2 };
      expect(await store.openSession(again)).toEqual({ turns: 1 });
      await store.appendTurn(KEY, { ...USAGE, turnIndex: 1, updatedAt: NOON + 3 });
      expect(await source.listSessions()).toMatchObject([
        {
          userId: "ada",
          title: "First",
          turns: 2,
          tokens: 14,
          createdAt: "2026-01-15T12:00:00.000Z",
          lastActive: "2026-01-15T12:00:00.003Z",
        },
      ]);
    });

    it("keeps sessions of one id in several tenants apart", async () => {
      const { store, source } = await open();
      for (const tenantId of ["acme", "globex"]) {
        await store.openSession({ ...START, tenantId });
        await store.appendMessages({ ...KEY, tenantId }, [{ content: tenantId }]);
      }
      expect((await source.listSessions()).map(({ tenantId }) => tenantId).sort()).toEqual([
        "acme",
        "globex",
      ]);
      expect(await source.loadMessages("globex", "s1")).toEqual([{ content: "globex" }]);
      expect(await source.loadMessages("acme", "s1")).toEqual([{ content: "acme" }]);
    });

    it("puts another conversation in the place of the one so far", async () => {
      const { store, source } = await open();
      await store.openSession(START);
      await Promise.all([
        store.appendMessages(KEY, [{ n: 1 }, { n: 2 }]),
        store.replaceMessages(KEY, [{ n: 3 }]),
        store.appendMessages(KEY, [{ n: 4 }]),
      ]);
      expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 3 }, { n: 4 }]);
      await store.replaceMessages(KEY, []);
      expect(await source.loadMessages("acme", "s1")).toEqual([]);
      await store.appendMessages(KEY, [{ n: 5 }]);
      expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 5 }]);
    });

    it("waits for what is being written when it is closed", async () => {
      const { store, source } = await open();
      await store.openSession(START);
      const call = store.appendMessages(KEY, [{ content: "the last words" }]);
      await store.close?.();
      expect(await source.loadMessages("acme", "s1")).toEqual([{ content: "the last words" }]);
      await call;
    });
  });
}
