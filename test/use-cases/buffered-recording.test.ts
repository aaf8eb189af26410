import { describe, expect, it, vi } from "vitest";
import {
  createInMemoryInspectorDataSource,
  SessionRecorder,
  SourceUnavailableError,
} from "../../src/advanced.js";
import { SourceRefusedError } from "../../src/application/errors.js";
import {
  createAgentApp,
  type RecordedSession,
  type RecorderOptions,
  type SessionStore,
} from "../../src/index.js";
import { RunRecorder } from "../../src/recording.js";

const AWAY = new SourceUnavailableError("The database cannot be reached just now.");

function storeInMemory() {
  const source = createInMemoryInspectorDataSource();
  const state = { fails: (_: string): Error | undefined => undefined, isSilent: false };
  const calls: { readonly name: string; readonly callId: string | undefined }[] = [];
  const store = new Proxy(source.sessionStore, {
    get(target, name: keyof SessionStore) {
      const method = target[name];
      if (typeof method !== "function") return method;
      return async (...given: unknown[]) => {
        const { callId } = (given.at(-1) ?? {}) as { callId?: string };
        calls.push({ name, callId });
        if (state.isSilent) return new Promise(() => {});
        const error = state.fails(name);
        if (error !== undefined) throw error;
        return (method as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
  return { source, store, state, calls };
}

function recordedInto(store: SessionStore, options: Partial<RecorderOptions> = {}) {
  const errors: string[] = [];
  const recorder = new SessionRecorder(store, { onError: ({ message }) => errors.push(message), ...options });
  return { recorder, errors };
}

function recordAll(session: RecordedSession, text = "hello"): Promise<void>[] {
  return [
    session.startTrace().record({ type: "text", text }),
    session.appendMessages([{ role: "user", content: text }]),
    session.recordOrchestration({ type: "run_started" }),
    session.recordTurn({ inputTokens: 1 }),
  ];
}

describe("A recorder with `onError` whose store never answers", () => {
  it("ends every call, also that which opens a session that is there already", async () => {
    const { store, state } = storeInMemory();
    state.isSilent = true;
    const { recorder } = recordedInto(store);
    for (const sessionId of ["s1", "s2", undefined]) {
      await Promise.all(recordAll(await recorder.open({ sessionId })));
    }
    expect(await recorder.flush({ timeoutMs: 1 })).toEqual({ lost: 0, waiting: 15 });
  });

  it("holds a bounded number of records, loses the newest, and says how many", async () => {
    const { store, state } = storeInMemory();
    state.isSilent = true;
    const { recorder, errors } = recordedInto(store, { maxWaitingRecords: 10 });
    const session = await recorder.open();
    for (let i = 0; i < 30; i++) await session.appendMessages([{ role: "user", content: `${i}` }]);
    expect(await recorder.flush({ timeoutMs: 1 })).toEqual({ lost: 21, waiting: 10 });
    expect(errors).toEqual([expect.stringContaining("Too much waits for the session store (10 records")]);
  });

  it("holds a bounded number of bytes", async () => {
    const { store, state } = storeInMemory();
    state.isSilent = true;
    const { recorder } = recordedInto(store, { maxWaitingBytes: 100_000 });
    const session = await recorder.open();
    for (let i = 0; i < 30; i++) await session.appendMessages([{ content: "x".repeat(10_000) }]);
    expect(await recorder.flush({ timeoutMs: 1 })).toEqual({ lost: 26, waiting: 5 });
  });

  it("lets an application be closed, and says what was not stored", async () => {
    const { store, state } = storeInMemory();
    state.isSilent = true;
    const errors: string[] = [];
    const recorderOptions = { onError: ({ message }: Error) => errors.push(message) };
    const app = createAgentApp({ sessionStore: store, recorderOptions });
    await (await app.sessions.open()).recordTurn();
    await app.close({ timeoutMs: 1 });
    expect(errors).toEqual([expect.stringContaining("2 records were not stored when the app was closed")]);
  });

  it("ends no call of a recorder of runs later than others", async () => {
    const { store, state } = storeInMemory();
    state.isSilent = true;
    const recorder = new RunRecorder(store, { onError: () => {}, maxWaitingRecords: 5 });
    recorder.start({ id: "a", kind: "agent", name: "helper" });
    recorder.end("a");
    expect(await recorder.flush({ timeoutMs: 1 })).toEqual({ lost: 0, waiting: 5 });
  });
});

describe("A recorder with `onError` whose store is away", () => {
  it("titles a run by what its model was asked, when the store says that the session is new, and not where it had turns", async () => {
    const { source, store, state } = storeInMemory();
    const before = new SessionRecorder(store);
    const old = await before.open({ tenantId: "acme", sessionId: "old", title: "As before" });
    await old.recordTurn();
    state.fails = () => AWAY;
    const recorder = new RunRecorder(store, { onError: () => {} });
    for (const sessionId of ["new", "old"]) {
      const identity = { tenantId: "acme", sessionId };
      recorder.start({ id: sessionId, traceId: sessionId, kind: "agent", name: "helper", ...identity });
      const messages = [{ role: "user", content: "What is new?" }];
      recorder.start({
        id: `m-${sessionId}`,
        parentId: sessionId,
        traceId: sessionId,
        kind: "model",
        name: "chat",
        messages,
      });
      recorder.end(`m-${sessionId}`);
      recorder.end(sessionId);
    }
    await recorder.flush({ timeoutMs: 150 });
    state.fails = () => undefined;
    expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
    const titles = (await source.listSessions()).map(({ sessionId, title }) => [sessionId, title]);
    expect(titles.sort()).toEqual([
      ["new", "What is new?"],
      ["old", "As before"],
    ]);
  });

  it("stores all of it in order, once, when the store is back, and tells of the outage once", async () => {
    const { source, store, state, calls } = storeInMemory();
    const { recorder, errors } = recordedInto(store);
    state.fails = () => AWAY;
    const session = await recorder.open({ sessionId: "s1" });
    expect([session.turns, session.knowsTurns]).toEqual([0, false]);
    const trace = session.startTrace("t");
    for (let i = 0; i < 5; i++) {
      await trace.record({ type: "text", text: `${i}` });
      await session.appendMessages([{ role: "user", content: `${i}` }]);
    }
    await session.recordTurn({ inputTokens: 3 });
    await (await recorder.open({ sessionId: "s2" })).recordTurn();
    const attempts = () => calls.filter(({ name }) => name === "openSession").length;
    await vi.waitFor(() => expect(attempts()).toBeGreaterThan(2));
    state.fails = () => undefined;
    expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
    expect(errors).toEqual(["The session store cannot be reached: what is recorded waits for it."]);
    const written = await source.loadTraceEnvelopes("default", "s1");
    expect(written.map(({ sequence, event }) => [sequence, event.text])).toEqual(
      [0, 1, 2, 3, 4].map((i) => [i, `${i}`]),
    );
    expect(await source.loadMessages("default", "s1")).toHaveLength(5);
    const listed = (await source.listSessions()).map(({ sessionId, turns, tokens }) => [
      sessionId,
      turns,
      tokens,
    ]);
    expect(listed.toSorted()).toEqual([
      ["s1", 1, 3],
      ["s2", 1, 0],
    ]);
    expect(session.knowsTurns).toBe(true);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(14);
  });

  it("reports what somebody has to change there at once, each reason once, and stores what waits afterwards", async () => {
    const { source, store, state } = storeInMemory();
    const { recorder, errors } = recordedInto(store);
    const session = await recorder.open({ sessionId: "s1" });
    for (const reason of ["There is no schema. Run: migrate", "The disk is full."]) {
      state.fails = () => new SourceRefusedError(reason);
      for (let i = 0; i < 3; i++) await session.appendMessages([{ content: reason }]);
      await vi.waitFor(() => expect(errors.at(-1)).toContain(reason), { timeout: 10_000 });
    }
    state.fails = () => undefined;
    expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
    expect(errors).toEqual([
      "The session store refuses records: what is recorded waits for it. There is no schema. Run: migrate",
      "The session store refuses records: what is recorded waits for it. The disk is full.",
    ]);
    expect(await source.loadMessages("default", "s1")).toHaveLength(6);
  });

  it("keeps what was recorded as it was", async () => {
    const { source, store, state } = storeInMemory();
    const { recorder } = recordedInto(store);
    const session = await recorder.open({ sessionId: "s1" });
    state.fails = () => AWAY;
    const message = { role: "user", content: "as it was" };
    await session.appendMessages([message]);
    message.content = "changed";
    state.fails = () => undefined;
    await recorder.flush();
    expect(await source.loadMessages("default", "s1")).toEqual([{ role: "user", content: "as it was" }]);
  });

  it("loses no more than the record that the store rejects for good", async () => {
    const { source, store, state } = storeInMemory();
    const { recorder, errors } = recordedInto(store);
    const session = await recorder.open({ sessionId: "s1" });
    state.fails = (name) => (name === "appendOrchestrationEvents" ? new Error("no such column") : undefined);
    await Promise.all(recordAll(session));
    expect(await recorder.flush()).toEqual({ lost: 1, waiting: 0 });
    expect(errors).toEqual(['The session store could not record an orchestration event of session "s1".']);
    expect(await source.listSessions()).toMatchObject([{ turns: 1 }]);
    expect(await source.loadTraceEnvelopes("default", "s1")).toHaveLength(1);
  });

  it("loses what there was no room for, in one piece, and records on when there is room", async () => {
    const { source, store, state } = storeInMemory();
    const { recorder, errors } = recordedInto(store, { maxWaitingRecords: 10 });
    const known = await recorder.open({ sessionId: "s1" });
    await recorder.flush();
    state.fails = () => AWAY;
    for (let i = 0; i < 12; i++) await known.appendMessages([{ content: i }]);
    const late = await recorder.open({ sessionId: "s2", userId: "ada" });
    await late.recordTurn();
    state.fails = () => undefined;
    expect(await recorder.flush()).toEqual({ lost: 3, waiting: 0 });
    await known.appendMessages([{ content: "after" }]);
    await late.recordTurn();
    expect(await recorder.flush()).toEqual({ lost: 3, waiting: 0 });
    const contents = (await source.loadMessages("default", "s1")).map(({ content }) => content);
    expect(contents).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "after"]);
    // Without room for the opening, a session's later records open it.
    expect((await source.listSessions()).find(({ sessionId }) => sessionId === "s2")?.userId).toBe("ada");
    expect(errors.at(-1)).toBe("3 records were lost, because too much waited for the session store.");
  });

  it("tells the list later what it could not tell with an event", async () => {
    const { source, store, state } = storeInMemory();
    const { recorder } = recordedInto(store);
    const session = await recorder.open({ sessionId: "s1" });
    const trace = session.startTrace();
    const call = (callId: string) =>
      trace.record({ type: "llm.end", callId, model: "m", usage: { inputTokens: 5 } });
    state.fails = (name) => (name === "updateSession" ? new Error("no") : undefined);
    await call("c1");
    expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
    state.fails = () => undefined;
    await call("c2");
    await recorder.flush();
    expect(await source.listSessions()).toMatchObject([{ tokens: 10 }]);
  });
});

describe("the turns of a session", () => {
  it("are known of one that others have recorded in, before anything is recorded", async () => {
    const { store } = storeInMemory();
    const { recorder } = recordedInto(store);
    await (await recorder.open({ sessionId: "s1" })).recordTurn();
    await recorder.flush();
    const again = await recordedInto(store).recorder.open({ sessionId: "s1" });
    expect([again.turns, again.knowsTurns]).toEqual([1, true]);
  });

  it("are those that the recorder knows, while the store does not answer", async () => {
    const { store, state } = storeInMemory();
    const { recorder } = recordedInto(store);
    await (await recorder.open({ sessionId: "s1" })).recordTurn();
    await recorder.flush();
    state.fails = () => AWAY;
    const again = await recorder.open({ sessionId: "s1" });
    expect([again.turns, again.knowsTurns]).toEqual([1, false]);
  });

  it.each([
    ["the calls since the last turn, in all traces", undefined, [7, 3]],
    ["what is said", { inputTokens: 1 }, [1, 3]],
  ])("have the tokens of %s", async (_, usage, expected) => {
    const { source, store } = storeInMemory();
    const append = vi.spyOn(source.sessionStore, "appendTurn");
    const session = await new SessionRecorder(store).open();
    const used = (inputTokens: number) =>
      session.startTrace().record({ type: "llm.end", callId: "c", usage: { inputTokens } });
    await used(5);
    await used(2);
    await session.recordTurn(usage);
    await used(3);
    await session.recordTurn();
    expect(append.mock.calls.map(([, turn]) => turn.inputTokens)).toEqual(expected);
  });
});
