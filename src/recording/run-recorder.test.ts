import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../advanced.js";
import type { SessionStore } from "../application/ports/session-store.js";
import type { TraceEvent } from "../domain/trace/trace-envelope.js";
import { RunRecorder, type RunRecorderOptions } from "./run-recorder.js";

interface RecordedEvent extends TraceEvent {
  readonly at: number;
  readonly traceId: string;
}

/** A recorder into memory, and what it wrote. */
function record(options: RunRecorderOptions = {}) {
  const source = createInMemoryInspectorDataSource();
  const errors: string[] = [];
  const recorder = new RunRecorder(source.sessionStore, {
    onError: (error) => errors.push(error.message),
    ...options,
  });
  return {
    recorder,
    errors,
    source,
    async events(sessionId = "t", tenantId = "default") {
      await recorder.flush();
      return (await source.loadTraceEnvelopes(tenantId, sessionId)).map((envelope) => {
        const { timestamp, traceId, event } = envelope;
        const reported: RecordedEvent = { ...event, at: Date.parse(timestamp), traceId };
        return reported;
      });
    },
    async session(sessionId = "t") {
      await recorder.flush();
      return (await source.listSessions()).find((one) => one.sessionId === sessionId);
    },
  };
}

const model = (id: string, parentId?: string, at = 0) =>
  ({ id, parentId, traceId: "t", kind: "model", name: "chat", at }) as const;
const agent = (id: string, parentId?: string, at = 0) =>
  ({ id, parentId, traceId: "t", kind: "agent", name: "helper", at }) as const;
const other = (id: string, parentId?: string, at = 0) =>
  ({ id, parentId, traceId: "t", kind: "other", name: "step", at, attributes: { "x.y": 1 } }) as const;
const used = (inputTokens: number) => ({ usage: { inputTokens } });
const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe("a recorder of runs", () => {
  it("records what starts when it starts, at the instants that are told", async () => {
    const { recorder, events } = record();
    recorder.start({ ...agent("a", undefined, 1_000), input: "Hello" });
    recorder.start({ ...model("m", "a", 2_000.7), model: "m1" });
    expect((await events()).map(({ type, at }) => [type, at])).toEqual([
      ["turn.start", 1_000],
      ["llm.start", 2_000],
    ]);
    recorder.end("m", { at: 3_000, ...used(5), stopReason: "stop" });
    recorder.end("a", { at: 4_000 });
    expect((await events()).slice(2)).toMatchObject([
      { type: "llm.end", at: 3_000, callId: "m", usage: { inputTokens: 5 }, stopReason: "stop" },
      { type: "turn.end", at: 4_000, turnIndex: 0, outcome: "completed" },
    ]);
  });

  it("says what a turn gave where no model tells its answer", async () => {
    const { recorder, events } = record();
    recorder.start(agent("a"));
    recorder.start(model("m", "a"));
    recorder.end("m", {});
    recorder.end("a", { output: { raw: "Four" } });
    recorder.start(agent("b"));
    recorder.start(model("n", "b"));
    recorder.end("n", { answer: [{ role: "assistant", content: "Five" }] });
    recorder.end("b", { output: "Five" });
    const ends = (await events()).filter(({ type }) => type === "turn.end");
    expect(ends.map(({ output }) => output)).toEqual([{ raw: "Four" }, undefined]);
  });

  it("counts what the innermost model calls used, once", async () => {
    const { recorder, session, events } = record();
    recorder.start(agent("a"));
    recorder.start(model("m1", "a"));
    recorder.start(model("m1-client", "m1"));
    recorder.end("m1-client", used(7));
    recorder.end("m1", used(8));
    recorder.start(model("m2", "a"));
    recorder.end("m2", used(20));
    recorder.end("a", used(27));
    expect((await session())?.usage?.inputTokens).toBe(27);
    expect(types(await events()).filter((type) => type === "llm.start")).toHaveLength(2);
    const ends = (await events()).filter(({ type }) => type === "llm.end");
    expect(ends.map(({ usage }) => usage)).toMatchObject([{ inputTokens: 7 }, { inputTokens: 20 }]);
  });

  it("counts once what an agent repeats that ends before the calls in it", async () => {
    const { recorder, session } = record();
    recorder.start(agent("a"));
    recorder.start(agent("b", "a"));
    recorder.start(model("m", "b"));
    recorder.end("b", used(7));
    recorder.start(model("late", "b"));
    recorder.end("m", used(5));
    recorder.end("late", used(2));
    recorder.start(model("later", "b"));
    recorder.end("later", used(1));
    recorder.end("a", used(7));
    expect((await session())?.usage?.inputTokens).toBe(8);
  });

  it("counts what an agent says that it used, where its model calls say nothing", async () => {
    const { recorder, session } = record();
    recorder.start(agent("a"));
    recorder.start(model("m", "a"));
    recorder.end("m");
    recorder.end("a", used(27));
    expect((await session())?.usage?.inputTokens).toBe(27);
  });

  it("makes agents of agents that lie in others, each on a trace of its own", async () => {
    const { recorder, events, source, session } = record();
    recorder.start(agent("a"));
    recorder.start({ id: "c", parentId: "a", kind: "tool", name: "ask", toolCallId: "call-1" });
    recorder.start({ ...agent("b", "c"), name: "expert", input: "Why?" });
    recorder.start(agent("b2", "b"));
    recorder.end("b2", { error: { message: "lost" } });
    recorder.end("b", { output: "Because." });
    recorder.end("c");
    recorder.end("a");
    const written = await events();
    expect(written.filter(({ type }) => type === "turn.start").map(({ traceId }) => traceId)).toEqual([
      "a",
      "b",
      "b2",
    ]);
    const orchestration = (await source.loadOrchestrationEvents("default", "t")) as { type: string }[];
    expect(types(orchestration)).toEqual([
      ...["run_started", "agent_spawned", "agent_job_started", "agent_spawned", "agent_job_started"],
      ...["agent_job_failed", "agent_closed", "agent_job_completed", "agent_closed", "run_completed"],
    ]);
    expect(orchestration[1]).toMatchObject({ toolCallId: "call-1", agent: { id: "b", role: "expert" } });
    expect(orchestration[3]).toMatchObject({ agent: { id: "b2", parentAgentId: "b" } });
    expect(orchestration[7]).toMatchObject({ job: { outcome: "completed", outputText: "Because." } });
    expect((await session())?.turns).toBe(1);
  });

  it("records a span that nobody knows with its attributes", async () => {
    const { recorder, events } = record();
    recorder.start(agent("a"));
    recorder.start(other("o", "a", 10));
    recorder.end("o", { at: 30 });
    expect((await events())[1]).toMatchObject({
      ...{ type: "span", name: "step", spanId: "o", parentSpanId: "a", at: 30, durationMs: 20 },
      attributes: { "x.y": 1 },
    });
  });

  it("takes spans above a run into it, and makes no session of traces that have none", async () => {
    const { recorder, events, source } = record();
    recorder.start(other("request"));
    recorder.start(other("check", "request"));
    recorder.end("check");
    recorder.start(agent("a", "request"));
    recorder.end("a");
    recorder.end("request");
    recorder.start({ ...other("health"), traceId: "other" });
    recorder.end("health");
    const written = await events();
    expect(written.map((event) => event.spanId ?? event.type).sort()).toEqual([
      ...["check", "request", "turn.end", "turn.start"],
    ]);
    expect(await source.listSessions()).toHaveLength(1);
  });

  it("makes one turn of calls that no agent is told of", async () => {
    const { recorder, events, session } = record();
    recorder.start(other("work"));
    for (const id of ["m1", "m2"]) {
      recorder.start(model(id, "work"));
      recorder.end(id, used(3));
    }
    recorder.end("work");
    expect(await session()).toMatchObject({ turns: 1, usage: { inputTokens: 6 } });
    expect(types(await events()).filter((type) => type === "turn.start")).toHaveLength(1);
  });

  it("learns at the end what a span is", async () => {
    const { recorder, events } = record();
    recorder.start(agent("a"));
    recorder.start(other("m", "a", 5));
    recorder.end("m", { kind: "model", name: "chat", model: "m1", at: 9, ...used(4) });
    expect((await events()).slice(1)).toMatchObject([
      { type: "llm.start", at: 5, model: "m1" },
      { type: "llm.end", at: 9, usage: { inputTokens: 4 } },
    ]);
  });

  it("loses nothing of children that are told before their parent", async () => {
    const { recorder, events, session } = record();
    recorder.start(model("m", "a"));
    recorder.end("m", used(3));
    recorder.start(model("m2", "a"));
    recorder.start(agent("a"));
    recorder.end("m2", used(4));
    recorder.end("a", used(7));
    expect(types(await events())).toEqual([
      ...["turn.start", "llm.start", "llm.end", "llm.start", "llm.end", "turn.end"],
    ]);
    expect(await session()).toMatchObject({ turns: 1, usage: { inputTokens: 7 } });
  });

  it("loses nothing of a parent that is never told, or never ends", async () => {
    const { recorder, session } = record();
    recorder.start(model("m", "never"));
    recorder.end("m", used(3));
    expect(await session()).toMatchObject({ turns: 1, usage: { inputTokens: 3 } });
    recorder.start({ ...agent("endless"), traceId: "u" });
    recorder.start({ ...model("m2", "endless"), traceId: "u" });
    recorder.end("m2", used(5));
    await recorder.close();
    expect(await session("u")).toMatchObject({ turns: 1, usage: { inputTokens: 5 } });
  });

  it("loses nothing of children that end behind their parent", async () => {
    const { recorder, events, session } = record();
    recorder.start(agent("a"));
    recorder.start(model("m", "a"));
    recorder.end("a");
    recorder.end("m", used(3));
    recorder.start(model("late", "a"));
    recorder.end("late");
    expect(types(await events()).filter((type) => type === "llm.end")).toHaveLength(2);
    expect(await session()).toMatchObject({ turns: 1, usage: { inputTokens: 3 } });
  });

  it("waits for so many spans at most, and still takes the end of one that it waited for no longer", async () => {
    const { recorder, events, errors } = record({ maxOpenSpans: 3 });
    recorder.start(agent("a"));
    for (const id of ["m1", "m2", "m3"]) recorder.start(model(id, "a"));
    recorder.end("m1", used(1));
    recorder.end("a", { at: 50 });
    expect(types(await events()).slice(-2)).toEqual(["llm.end", "turn.end"]);
    expect(errors).toEqual([]);
  });

  it("says what something lies in, where that is no agent or turn: a request around a turn, a step, a call", async () => {
    const { recorder, events, source } = record();
    recorder.start(other("request"));
    recorder.start(agent("a", "request"));
    recorder.start(other("step", "a"));
    recorder.start(model("m", "step"));
    recorder.start({ ...model("t", "step"), kind: "tool", name: "look" });
    recorder.start(agent("helper", "step"));
    recorder.start(model("direct", "a"));
    for (const id of ["direct", "helper", "t", "m", "step", "a", "request"]) recorder.end(id);
    const lies = Object.fromEntries(
      (await events()).flatMap(({ type, traceId, parentSpanId, ...event }) =>
        /start$|^span$/.test(type)
          ? [[event.spanId ?? event.callId ?? event.toolCallId ?? traceId, parentSpanId]]
          : [],
      ),
    );
    expect(lies).toEqual({
      ...{ a: "request", m: "step", t: "step", step: "a" },
      ...{ helper: undefined, direct: undefined, request: undefined },
    });
    const orchestration = await source.loadOrchestrationEvents("default", "t");
    expect(orchestration.find((one) => (one as TraceEvent).type === "agent_spawned")).toMatchObject({
      parentSpanId: "step",
    });
  });

  it("tells a compaction once: by its span, and not again by the call that it was made for", async () => {
    const { recorder, events } = record();
    const messages = (...texts: readonly string[]) => texts.map((content) => ({ role: "user", content }));
    recorder.start(agent("a"));
    for (const [id, ...texts] of [
      ["m1", "a"],
      ["m2", "a", "b"],
    ] as const) {
      recorder.start({ ...model(id, "a"), messages: messages(...texts) });
      recorder.end(id);
    }
    recorder.start({ ...other("c", "a"), kind: "compaction" });
    recorder.end("c", { tokensBefore: 9, tokensAfter: 2, error: { message: "too late" } });
    recorder.start({ ...model("m3", "a"), messages: messages("so far"), isCompacted: true });
    recorder.end("m3");
    recorder.start({ ...model("m4", "a"), messages: messages("anew") });
    const reported = (await events()).filter(({ type }) => type.startsWith("compaction"));
    expect(reported).toMatchObject([
      { type: "compaction.start", compactionId: "c", trigger: "step" },
      { type: "compaction.end", tokensBefore: 9, tokensAfter: 2, error: { message: "too late" } },
      { type: "compaction.start", trigger: "conversation_rewritten" },
      { type: "compaction.end" },
    ]);
  });

  it("names an error with what failed first; the events around it only fail", async () => {
    const { recorder, events } = record();
    const error = { message: "down" };
    recorder.start(agent("a"));
    recorder.start(other("step", "a"));
    recorder.start(model("m", "step"));
    recorder.start(other("request", "m"));
    for (const id of ["request", "m", "step", "a"]) recorder.end(id, { error });
    const reported = (await events()).map((event) => [event.type, event.error, event.failure]);
    expect(reported.slice(2)).toEqual([
      ["span", undefined, "down"],
      ["llm.end", error, undefined],
      ["span", undefined, "down"],
      ["turn.end", "down", undefined],
    ]);
  });

  it("takes the session, the tenant and the user from whichever span tells them first", async () => {
    const { recorder, source } = record();
    recorder.start({ ...other("request"), tenantId: "acme", userId: "ada" });
    recorder.start({ ...agent("a", "request"), sessionId: "s1", input: "What?\nNow." });
    recorder.end("a");
    await recorder.flush();
    expect(await source.listSessions()).toMatchObject([
      { tenantId: "acme", sessionId: "s1", userId: "ada", title: "What?", agentId: "helper" },
    ]);
  });

  it("records also under ids that cannot be names of folders", async () => {
    const { recorder, source, errors } = record();
    for (const sessionId of ["../x", "a/b"]) {
      recorder.start({ ...agent(sessionId), sessionId });
      recorder.end(sessionId);
    }
    await recorder.flush();
    const ids = (await source.listSessions()).map(({ sessionId }) => sessionId);
    expect(new Set(ids).size).toBe(2);
    expect(errors).toEqual([]);
  });

  it("stores a repeated conversation once, and replaces it where it was rewritten", async () => {
    const { recorder, source } = record();
    const messages: object[] = [{ role: "user", content: "q" }];
    recorder.start(agent("a"));
    for (let i = 0; i < 30; i++) {
      recorder.start({ ...model(`m${i}`, "a"), messages: [...messages] as never });
      const answer = [{ role: "assistant", content: `a${i}` }];
      recorder.end(`m${i}`, { answer });
      messages.push(...answer, { role: "tool", content: `r${i}` });
    }
    await recorder.flush();
    expect(await source.loadMessages("default", "t")).toHaveLength(60);
    recorder.start({ ...model("last", "a"), messages: [{ role: "user", content: "summary" }] });
    await recorder.flush();
    expect(await source.loadMessages("default", "t")).toEqual([{ role: "user", content: "summary" }]);
  });

  it("never throws: what cannot be recorded goes to onError", async () => {
    const { recorder, errors } = record();
    recorder.end("unknown");
    recorder.start(agent("a"));
    recorder.start(agent("a"));
    recorder.start({ ...model("m", "a"), at: Number.NaN });
    recorder.start({ ...model("n", "a"), messages: [{ role: "user", content: 1n }] });
    await recorder.flush();
    expect(errors).toHaveLength(4);
    const broken = new RunRecorder({} as SessionStore, { onError: () => Promise.reject(new Error("no")) });
    broken.start(agent("a"));
    broken.end("a");
    await broken.flush();
  });

  it("does not record a span with an unknown member, and reports the likely name", async () => {
    const errors: Error[] = [];
    const { recorder, source } = record({ onError: (error) => errors.push(error) });
    recorder.start({ ...agent("a"), tenentId: "acme" } as never);
    recorder.start(agent("b"));
    recorder.end("b", { outputs: "done" } as never);
    recorder.end("b");
    await recorder.flush();
    expect(await source.listSessions()).toHaveLength(1);
    expect(errors.map(({ message, cause }) => [message, (cause as Error).message])).toEqual([
      ['Could not record that the span "a" started.', "Unknown option 'tenentId'. Did you mean 'tenantId'?"],
      ['Could not record that the span "b" ended.', "Unknown option 'outputs'. Did you mean 'output'?"],
    ]);
  });

  it("refuses wrong options of its own at once", () => {
    const { recorder } = record();
    for (const call of [
      () => recorder.flush({ timeout: 1 } as never),
      () => recorder.close({ timeout: 1 } as never),
    ]) {
      expect(call).toThrow(new TypeError("Unknown option 'timeout'. Did you mean 'timeoutMs'?"));
    }
  });

  it("lets so many records wait for a slow store at most, and reports the rest once", async () => {
    let open = () => {};
    const opened = new Promise<{ turns: number }>((resolve) => {
      open = () => resolve({ turns: 0 });
    });
    const written: unknown[] = [];
    const append = async (_: unknown, list: unknown) => void written.push(list);
    const store = { openSession: () => opened, appendTraceEnvelopes: append, appendTurn: append };
    const errors: string[] = [];
    const recorder = new RunRecorder(store as unknown as SessionStore, {
      maxWaitingRecords: 5,
      onError: (error) => errors.push(error.message),
    });
    recorder.start(agent("a"));
    for (let i = 0; i < 10; i++) recorder.start(model(`m${i}`, "a"));
    open();
    expect(await recorder.flush()).toEqual({ lost: 6, waiting: 0 });
    expect(written).toHaveLength(5);
    expect(errors).toEqual([expect.stringContaining("6 records were not written")]);
  });
});
