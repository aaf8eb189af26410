import { appendFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { FilesystemSessionStore } from "../../src/adapters/data-directory/filesystem-session-store.js";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import type { SessionStore } from "../../src/application/ports/session-store.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import type { RecordableEvent } from "../../src/domain/trace/runtime-event.js";
import { temporaryFolder } from "../support/data-directory.js";

const KEY = { tenantId: "t", sessionId: "s" };
const FAILED_CALL: readonly RecordableEvent[] = [
  { type: "tool.start", toolCallId: "t1", toolName: "Bash" },
  { type: "tool.end", toolCallId: "t1", toolName: "Bash", isError: true },
];
const TURN: readonly RecordableEvent[] = [
  {
    type: "turn.start",
    turnIndex: 0,
    input: [
      { type: "text", text: "What\nfails?" },
      { type: "image", data: "" },
    ],
  },
  { type: "llm.start", callId: "c1", model: "a-model" },
  { type: "thinking", thinking: "Hm." },
  { type: "text", text: "Let me see." },
  { type: "llm.end", callId: "c1", model: "a-model" },
  ...FAILED_CALL,
  { type: "text", text: "The  build fails." },
  { type: "text", text: "By the way.", role: "user" },
  { type: "turn.end", turnIndex: 0, outcome: "failed" },
];
const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
const LISTED = { errors: 1, model: "a-model", prompt: "What fails?", lastAnswer: "The build fails." };

async function directory() {
  const dataDir = await temporaryFolder();
  const store = new FilesystemSessionStore(dataDir);
  const listed = async () => {
    const [item] = await createFilesystemInspectorDataSource(dataDir, { threads: false }).listSessions();
    const { errors, model, prompt, lastAnswer } = item!;
    return { errors, model, prompt, lastAnswer };
  };
  const used = async () => {
    const [item] = await createFilesystemInspectorDataSource(dataDir, { threads: false }).listSessions();
    return item?.usageByModel?.map(({ at: _, ...group }) => group);
  };
  return { store, listed, used, log: sessionFiles(dataDir, KEY.tenantId, KEY.sessionId).session };
}

async function record(store: SessionStore, events: readonly RecordableEvent[], traceId = "main") {
  const recorder = new SessionRecorder(store, { onError: () => undefined });
  const session = await recorder.open(KEY);
  const trace = session.startTrace(traceId);
  for (const event of events) trace.record(event);
  await recorder.flush();
  return { recorder, session, trace };
}

describe("what the list says of a session that was recorded", () => {
  it("is known from the session's own log, at the end of a turn", async () => {
    const { store, listed } = await directory();
    await record(store, TURN);
    expect(await listed()).toEqual(LISTED);
  });

  it("is known of a turn that was recorded before it ended", async () => {
    const { store, listed } = await directory();
    const { recorder, session } = await record(store, TURN.slice(0, -1));
    session.recordTurn({ inputTokens: 1 });
    await recorder.flush();
    expect(await listed()).toEqual(LISTED);
  });

  it("adds up what several recorders write, and keeps what was asked first", async () => {
    const { store, listed } = await directory();
    await record(store, TURN);
    await record(store, [
      { type: "turn.start", turnIndex: 1, input: "Again." },
      { type: "error", error: { message: "overloaded" } },
      { type: "turn.end", turnIndex: 1, outcome: "failed" },
    ]);
    expect(await listed()).toEqual({ ...LISTED, errors: 2 });
  });

  it("counts a failure as soon as it is recorded", async () => {
    const { store, listed } = await directory();
    await record(store, FAILED_CALL);
    expect(await listed()).toEqual({ errors: 1 });
  });

  it("leaves the words and models of sub-agents to them, and counts what fails in them", async () => {
    const { store, listed } = await directory();
    const { recorder, session } = await record(store, TURN.slice(0, -1));
    session.recordOrchestration({ type: "agent_spawned", agent: { id: "a1", role: "r" } });
    const agent = session.startTrace("a1");
    for (const event of TURN.slice(1, -2)) {
      agent.record(event.type === "llm.start" ? { ...event, model: "another" } : event);
    }
    agent.record({ type: "turn.end", turnIndex: 0, outcome: "completed" });
    await recorder.flush();
    expect(await listed()).toEqual({ ...LISTED, errors: 2 });
  });

  it("is no number of failures where the session began without one", async () => {
    const { store, listed } = await directory();
    await store.openSession({ ...KEY, userId: "", createdAt: 0 });
    await record(store, TURN);
    expect(await listed()).toEqual({ ...LISTED, errors: undefined });
  });

  it("is written with what comes next where it could not be written", async () => {
    const { store, listed } = await directory();
    const update = store.updateSession.bind(store);
    let isBroken = true;
    store.updateSession = (...call) => (isBroken ? Promise.reject(new Error("full")) : update(...call));
    const { recorder, trace } = await record(store, TURN.slice(0, -1));
    isBroken = false;
    trace.record(TURN.at(-1)!);
    await recorder.flush();
    expect(await listed()).toEqual(LISTED);
  });

  it("is bounded and counted, whatever a log holds", async () => {
    const { store, listed, log } = await directory();
    await record(store, []);
    const odd = { type: "update", errors: -5, model: 7, prompt: " \n", lastAnswer: "long ".repeat(10_000) };
    await appendFile(log, `${JSON.stringify(odd)}\n{"type":"update","errors":1e300}\n`);
    const lastAnswer = `${"long ".repeat(60).slice(0, 299).trimEnd()}…`;
    expect(await listed()).toEqual({ errors: Number.MAX_SAFE_INTEGER, lastAnswer });
  });

  it("tells what each model used, a call that names its model at the beginning alone, too", async () => {
    const { store, used } = await directory();
    const usd = { costUSD: 0.5 };
    const { recorder, session, trace } = await record(store, [
      { type: "llm.start", callId: "c1", model: "a-model", provider: "openai" },
      { type: "llm.start", callId: "c2", model: "another" },
      { type: "llm.end", callId: "c2", usage: USAGE },
      { type: "llm.end", callId: "c1", usage: USAGE },
    ]);
    session.recordTurn({ inputTokens: 20, outputTokens: 10 });
    trace.record({ type: "llm.end", callId: "c3", model: "another", usage: USAGE });
    trace.record({ type: "llm.end", callId: "c4", usage: USAGE, ...usd });
    session.recordTurn({ inputTokens: 20, outputTokens: 10 });
    await recorder.flush();
    expect(await used()).toEqual([
      {
        model: "another",
        calls: 2,
        contextTokens: 10,
        usage: { ...USAGE, inputTokens: 20, outputTokens: 10 },
      },
      { model: "a-model", provider: "openai", calls: 1, contextTokens: 10, usage: USAGE },
      { calls: 1, contextTokens: 10, usage: USAGE, recordedUsd: 0.5 },
    ]);
  });

  it("tells of what models used once, also where it could not be written at first", async () => {
    const { store, used } = await directory();
    const append = store.appendTurn.bind(store);
    let isBroken = true;
    store.appendTurn = (...call) => (isBroken ? Promise.reject(new Error("full")) : append(...call));
    const { recorder, session } = await record(store, [
      { type: "llm.end", callId: "c1", model: "a-model", usage: USAGE },
    ]);
    await session.recordTurn(USAGE);
    await recorder.flush();
    isBroken = false;
    await session.recordTurn(USAGE);
    await recorder.flush();
    expect(await used()).toEqual([{ model: "a-model", calls: 1, contextTokens: 10, usage: USAGE }]);
  });

  it("is told of the calls of a turn that goes on, too, also where something failed in it", async () => {
    const { store, used } = await directory();
    const { recorder, session, trace } = await record(store, [
      { type: "llm.end", callId: "c1", model: "a-model", usage: USAGE },
    ]);
    await session.recordTurn(USAGE);
    const later = { at: Date.now() + 1_000 };
    trace.record({ type: "llm.end", callId: "c2", model: "a-model", usage: USAGE }, later);
    trace.record({ type: "error", error: { message: "overloaded" } }, later);
    trace.record({ type: "llm.end", callId: "c3", model: "another", usage: USAGE }, later);
    await recorder.flush();
    const going = [
      {
        model: "a-model",
        calls: 2,
        contextTokens: 10,
        usage: { ...USAGE, inputTokens: 20, outputTokens: 10 },
      },
      { model: "another", calls: 1, contextTokens: 10, usage: USAGE },
    ];
    expect(await used()).toEqual(going);
    await session.recordTurn({ inputTokens: 20, outputTokens: 10 }, later);
    await recorder.flush();
    expect(await used()).toEqual(going);
  });

  it("has calls of no model where turns count more than calls tell", async () => {
    const { store, used } = await directory();
    const { recorder, session } = await record(store, [
      { type: "llm.end", callId: "c1", model: "a-model", usage: USAGE },
    ]);
    await session.recordTurn({ ...USAGE, inputTokens: 50 });
    await recorder.flush();
    expect(await used()).toEqual([
      { model: "a-model", calls: 1, contextTokens: 10, usage: USAGE },
      { calls: 1, contextTokens: 0, usage: { ...USAGE, inputTokens: 40, outputTokens: 0 } },
    ]);
  });

  it("takes from a log no use of models that is none", async () => {
    const { store, used, log } = await directory();
    await record(store, []);
    const known = {
      model: "a-model",
      at: 5,
      calls: -3,
      contextTokens: "x",
      usage: { inputTokens: 7, evil: 1 },
    };
    const odd = [null, 7, [], {}, { at: 5 }, { ...known, at: "never" }, { ...known, recordedUsd: -1 }];
    const records = [odd, "text", { length: 1e9 }, Array.from({ length: 100_000 }, () => known)].map(
      (usageByModel) => JSON.stringify({ type: "update", usageByModel }),
    );
    await appendFile(log, `${records.join("\n")}\n`);
    expect(await used()).toEqual([
      {
        model: "a-model",
        calls: 34,
        contextTokens: 0,
        usage: { ...USAGE, inputTokens: 34 * 7, outputTokens: 0 },
      },
    ]);
  });

  it("looks no further into what was asked than a few parts deep, also where it has no end", async () => {
    const { store, listed } = await directory();
    const endless: unknown[] = [];
    endless.push(endless, endless);
    await record(store, [{ type: "turn.start", turnIndex: 0, input: endless }, ...FAILED_CALL]);
    expect((await listed()).prompt).toBeUndefined();
  });
});
