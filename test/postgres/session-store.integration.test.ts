import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { NO_USAGE } from "../../src/domain/usage/token-usage.js";
import type { InspectorDataSource, SessionStore, WorkflowTraceEventEnvelope } from "../../src/index.js";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { RunRecorder } from "../../src/recording.js";
import {
  expectSameUse,
  listedUse,
  overlappingTurns,
  type RunningSpan,
  summedUse,
  tell,
  toldOf,
  usedBy,
} from "../support/overlapping-runs.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

const opened: { close?(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.();
});

function open(options: { retryForMs?: number; maxWaitingBytes?: number } = {}): {
  store: SessionStore;
  source: InspectorDataSource;
} {
  const { connectionString } = database;
  const store = createPostgresSessionStore({ connectionString, ...options });
  const source = createPostgresDataSource({ connectionString });
  opened.push(store, source);
  return { store, source };
}

const KEY = { tenantId: "acme", sessionId: "s1" };
const START = { ...KEY, userId: "ada", createdAt: Date.UTC(2026, 0, 15, 12) };

function envelope(id: string, sequence: number, event: object = { type: "x" }): WorkflowTraceEventEnvelope {
  const timestamp = new Date(START.createdAt + sequence).toISOString();
  return {
    ...KEY,
    id,
    timestamp,
    sequence,
    source: "runtime",
    traceId: "t1",
    event: event as { type: string },
  };
}

describe("PostgresSessionStore", () => {
  it("counts of a turn that goes on what is recorded so far, over several writes", async () => {
    const { store, source } = open();
    const call = (id: string, sequence: number) =>
      envelope(id, sequence, { type: "llm.end", usage: { inputTokens: 100, outputTokens: 1 } });
    const tokens = async () => (await source.listSessions())[0]?.tokens;
    await store.openSession(START);
    await store.appendTraceEnvelopes(KEY, [call("a", 1)]);
    await store.appendTraceEnvelopes(KEY, [call("b", 2)]);
    expect(await tokens()).toBe(202);
    const usage = { inputTokens: 201, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
    await store.appendTurn(KEY, { ...usage, turnIndex: 0, updatedAt: START.createdAt + 3 });
    expect(await tokens()).toBe(203);
    await store.appendTraceEnvelopes(KEY, [call("late", 3), call("c", 4)]);
    expect(await tokens()).toBe(304);
  });

  it("counts each call once, whatever ends behind the end of what it lies in", async () => {
    const { source, store } = open();
    const stores = [store, open().store];
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(overlappingTurns, async (turns) => {
        const key = { tenantId: "acme", sessionId: `s${sessions++}` };
        const recorders = stores.map((one) => new RunRecorder(one));
        const ended: RunningSpan[] = [];
        for (const told of toldOf(turns)) {
          const recorder = recorders[told.recorder]!;
          tell(recorder, key, told);
          await recorder.flush();
          if (!told.isEnd) continue;
          ended.push(told.span);
          const { items } = await source.findSessions!(key);
          expectSameUse(await listedUse(items[0]!), await usedBy(ended));
        }
        expectSameUse(await summedUse(source, key), await usedBy(ended));
      }),
      { numRuns: 6 },
    );
  });

  it("stores a record once whose id it has already, in another call, another process or the same call", async () => {
    const { store, source } = open();
    await store.appendTraceEnvelopes(KEY, [envelope("a", 0), envelope("b", 1)]);
    await store.appendTraceEnvelopes(KEY, [envelope("b", 1), envelope("c", 2), envelope("c", 2)]);
    await open().store.appendTraceEnvelopes(KEY, [envelope("a", 0), envelope("d", 3)]);
    const ids = (await source.loadTraceEnvelopes("acme", "s1")).map(({ id }) => id);
    expect(ids).toEqual(["a", "b", "c", "d"]);
    await store.appendTraceEnvelopes({ ...KEY, tenantId: "globex" }, [envelope("a", 0)]);
    expect(await source.loadTraceEnvelopes("globex", "s1")).toHaveLength(1);
  });

  it("keeps the order of calls that wait for nothing, and puts what waits into one transaction", async () => {
    const { store, source } = open();
    const numbers = Array.from({ length: 500 }, (_, i) => i);
    await store.openSession(START);
    await Promise.all(numbers.map((i) => store.appendMessages(KEY, [{ i }])));
    expect((await source.loadMessages("acme", "s1")).map(({ i }) => i)).toEqual(numbers);
    const [row] = await database.run("SELECT revision::int FROM agent_inspector.sessions");
    expect(row?.revision).toBeLessThan(20);
  });

  it("replaces a conversation, keeps the old one, and a stream that was opened before reads on in it", async () => {
    const { store, source } = open();
    await store.appendMessages(KEY, [{ n: 1 }, { n: 2 }]);
    const before = await (await source.openSession!("acme", "s1"))!.messages();
    await Promise.all([
      store.replaceMessages(KEY, [{ n: 3 }]),
      store.appendMessages(KEY, [{ n: 4 }]),
      store.replaceMessages(KEY, []),
      store.appendMessages(KEY, [{ n: 5 }]),
    ]);
    expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 5 }]);
    for await (const batch of before.read({ from: 0, to: 2 })) {
      expect(new TextDecoder().decode(batch.text)).toBe('{"n":1},{"n":2}');
    }
    expect.assertions(3);
    expect(await database.run("SELECT record FROM agent_inspector.messages ORDER BY position")).toHaveLength(
      5,
    );
  });

  it("keeps NUL characters, halves of surrogate pairs and reserved characters, in records and in names", async () => {
    const { store, source } = open();
    const text = "a\0b\uD83Dc\uDC00\uFDD0\uFDE5 \u{1F99C}";
    await store.openSession({ ...START, userId: text, title: text, agentId: text });
    await store.appendMessages(KEY, [{ content: text }]);
    await store.appendTraceEnvelopes(KEY, [{ ...envelope(text, 0, { type: "x", text }), traceId: text }]);
    expect(await source.listSessions()).toMatchObject([{ userId: text, title: text, agentId: text }]);
    expect(await source.loadMessages("acme", "s1")).toEqual([{ content: text }]);
    const { keys } = await (await source.openSession!("acme", "s1"))!.trace();
    expect(keys.traceIds).toEqual([text]);
    expect(await source.loadTraceEnvelopes("acme", "s1")).toMatchObject([{ id: text, event: { text } }]);
  });

  it("stores a call once that is made again, whatever it records", async () => {
    const { store, source } = open();
    await store.openSession({ ...KEY, userId: "", createdAt: 0 });
    for (let attempt = 0; attempt < 2; attempt++) {
      await store.appendMessages(KEY, [{ n: 0 }, { n: 0 }], { callId: "1" });
      await store.replaceMessages(KEY, [{ n: 1 }], { callId: "2" });
      await store.appendMessages(KEY, [{ n: 2 }], { callId: "3" });
      await store.appendTurn(
        KEY,
        { turnIndex: 0, ...NO_USAGE, inputTokens: 5, updatedAt: 1 },
        { callId: "4" },
      );
      await store.updateSession(KEY, { errors: 1, updatedAt: 1 }, { callId: "5" });
    }
    expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await source.listSessions()).toMatchObject([{ turns: 1, tokens: 5 }]);
  });

  it("keeps what the recorder says of a session, for the list", async () => {
    const { store, source } = open();
    const recorder = new SessionRecorder(store);
    const session = await recorder.open({ ...KEY, title: "A title" });
    const trace = session.startTrace();
    trace.record({ type: "turn.start", turnIndex: 0, input: "What\0 fails?" });
    trace.record({ type: "llm.start", callId: "c1", model: "a-model" });
    trace.record({ type: "error", error: { message: "overloaded" } });
    trace.record({ type: "text", text: "All of it." });
    trace.record({ type: "turn.end", turnIndex: 0, outcome: "failed" });
    await recorder.flush();
    const said = { model: "a-model", prompt: "What\0 fails?", lastAnswer: "All of it." };
    expect(await source.listSessions()).toMatchObject([{ errors: 1, ...said }]);
    await recorder.open(KEY);
    await database.run("UPDATE agent_inspector.sessions SET errors = NULL, model = NULL");
    const [item] = await source.listSessions();
    expect([item!.errors, item!.model]).toEqual([undefined, undefined]);
  });

  it("refuses only the record that the database refuses", async () => {
    const { store, source } = open();
    await database.run(
      "ALTER TABLE agent_inspector.messages ADD CONSTRAINT no_bad CHECK (record NOT LIKE '%bad%')",
    );
    const results = await Promise.allSettled([
      store.appendMessages(KEY, [{ n: 1 }]),
      store.appendMessages(KEY, [{ n: 2 }, { bad: true }]),
      store.appendMessages(KEY, [{ n: 3 }]),
    ]);
    await database.run("ALTER TABLE agent_inspector.messages DROP CONSTRAINT no_bad");
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await source.loadMessages("acme", "s1")).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it("changes the revision with every change, and with a session that is deleted and written anew", async () => {
    const { store, source } = open();
    const revisionNow = async () => (await source.openSession!("acme", "s1"))?.revision;
    const revisions = [await revisionNow()];
    const addRevision = async () => revisions.push(await revisionNow());
    await store.openSession(START).then(addRevision);
    await store.appendMessages(KEY, [{ n: 1 }]).then(addRevision);
    await store.appendTraceEnvelopes(KEY, [envelope("a", 0)]).then(addRevision);
    await database.empty();
    await store.openSession(START).then(addRevision);
    expect(new Set(revisions).size).toBe(revisions.length);
    await store.openSession(START);
    expect(await revisionNow()).toBe(revisions.at(-1));
  });

  it("refuses calls when too much waits for the database already", async () => {
    const { store } = open({ maxWaitingBytes: 1_000 });
    const message = { content: "x".repeat(900) };
    const first = store.appendMessages(KEY, [message]);
    await expect(store.appendMessages(KEY, [message])).rejects.toThrow("wait for the database already");
    await first;
    await store.appendMessages(KEY, [message]);
  });
});
