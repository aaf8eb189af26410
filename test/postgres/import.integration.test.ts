import { describe, expect, it, onTestFinished } from "vitest";
import { MemoryDataSource } from "../../src/adapters/memory/memory-data-source.js";
import { type MemorySession, MemoryState } from "../../src/adapters/memory/memory-state.js";
import { GetSessionTrace } from "../../src/application/questions/get-session-trace.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { batchOf } from "../../src/domain/json/record-batch.js";
import { keysOfEnvelopes } from "../../src/domain/trace/trace-sequence-merge.js";
import type {
  InspectorDataSource,
  InspectorSessionItem,
  RecordStream,
  SessionSnapshot,
  WorkflowTraceEventEnvelope,
} from "../../src/index.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  type ImportOptions,
  importIntoPostgres,
} from "../../src/postgres.js";
import { envelopeText, NOON } from "../contract/fixture.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

const KEY = { tenantId: "acme", sessionId: "s1" };
const ITEM: InspectorSessionItem = {
  ...KEY,
  userId: "ada",
  lastActive: "2026-01-15T12:00:00.000Z",
  turns: 0,
  tokens: 0,
  status: "idle",
};

function databaseSource(): InspectorDataSource {
  const source = createPostgresDataSource({ connectionString: database.connectionString });
  onTestFinished(() => source.close?.());
  return source;
}

function importFrom(source: InspectorDataSource, options: ImportOptions = {}) {
  return importIntoPostgres(source, { connectionString: database.connectionString, ...options });
}

async function bytesOf(stream: RecordStream): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const batch of stream.read({ from: 0, to: stream.size })) {
    for (let i = 0; i < batch.size; i++) {
      parts.push(Uint8Array.from(batch.text.subarray(batch.start(i), batch.end(i))), Uint8Array.of(0x0a));
    }
  }
  return Buffer.concat(parts).toString("latin1");
}

async function everything(source: InspectorDataSource): Promise<unknown> {
  const sessions = (await source.listSessions()).sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const contents = [];
  for (const { tenantId, sessionId } of sessions) {
    const session = (await source.openSession!(tenantId, sessionId))!;
    const orchestration = await session.orchestration();
    contents.push({
      trace: await bytesOf(await session.trace()),
      messages: await bytesOf(await session.messages()),
      events: await bytesOf(orchestration.events),
      state: await orchestration.state(),
    });
  }
  return { sessions, contents };
}

/** `last` is the last session. */
function sessionsInMemory(sessions: number, records: number, first = 0) {
  const state = new MemoryState();
  const numbers = Array.from({ length: records }, (_, i) => first + i);
  let last: MemorySession | undefined;
  for (let session = 0; session < sessions; session++) {
    last = state.open(`t${session % 2}`, `s${session}`, NOON);
    last.addToLog({ type: "init", userId: "ada", title: `Session ${session}`, createdAt: NOON });
    last.addToLog({ type: "turn", inputTokens: 3, outputTokens: 4, updatedAt: NOON + 9_000_000 });
    last.addEnvelopes(numbers.map((i) => envelope(i, { type: "turn.start", text: "é".repeat(i % 50) })));
    last.addMessages(numbers.map((n) => ({ role: "user", n, content: "日".repeat(n % 50) })));
    last.addOrchestrationEvents([{ eventId: "e1", type: "agent_spawned", agent: { id: "a1" } }]);
  }
  return { source: asDataSource(new MemoryDataSource(state)), last: last! };
}

function envelope(sequence: number, event: object): WorkflowTraceEventEnvelope {
  return JSON.parse(envelopeText(sequence, event)) as WorkflowTraceEventEnvelope;
}

function sourceOfOne(parts: Partial<SessionSnapshot>): InspectorDataSource {
  const state = new MemoryState();
  state.open(KEY.tenantId, KEY.sessionId, NOON);
  const memory = new MemoryDataSource(state);
  return Object.assign(asDataSource(memory), {
    listSessions: async () => [ITEM],
    openSession: async () => ({
      ...(await memory.openSession(KEY.tenantId, KEY.sessionId))!,
      revision: undefined,
      ...parts,
    }),
  });
}

function streamOfBytes(records: readonly Buffer[]): RecordStream {
  return {
    size: records.length,
    warnings: [],
    async *read({ positions, from, to }) {
      for (let at = from; at < to; at++) {
        const record = records[positions?.[at] ?? at]!;
        yield batchOf(record, Float64Array.of(record.length));
      }
    },
  };
}

describe("An import", () => {
  it("copies a source so that reading it back gives the same bytes and the same list", async () => {
    const { source } = sessionsInMemory(6, 300);
    const report = await importFrom(source);
    expect(report).toMatchObject({ sessions: 6, totalSessions: 6, records: 6 * 601, skipped: [] });
    expect(await everything(databaseSource())).toEqual(await everything(source));
  });

  it("keeps all that the list says of a session", async () => {
    const usage = {
      inputTokens: 3,
      outputTokens: 4,
      cacheReadTokens: 5,
      cacheWriteTokens: 6,
      cacheWrite1hTokens: 2,
    };
    const listed = {
      ...ITEM,
      turns: 2,
      tokens: 18,
      title: "Notes",
      agentId: "helper",
      directory: "/home/ada/notes\ud83d",
      createdAt: "2026-01-15T11:00:00.000Z",
      usage,
      errors: 1,
      model: "a-model",
      prompt: "What is in them?",
      lastAnswer: "Water the plants.",
      usageByModel: [{ model: "a-model", at: NOON, contextTokens: 14, calls: 1, placeholderCalls: 1, usage }],
    };
    const source = Object.assign(sourceOfOne({}), { listSessions: async () => [listed] });
    for (let repeated = 0; repeated < 2; repeated++) {
      await importFrom(source);
      expect(await databaseSource().listSessions()).toEqual([{ ...listed, state: { kind: "idle" } }]);
    }
  });

  it("copies a source that has the five methods alone", async () => {
    const { source } = sessionsInMemory(1, 3);
    Object.assign(source, { openSession: undefined });
    expect(await importFrom(source)).toMatchObject({ sessions: 1, records: 7, skipped: [] });
    const copy = databaseSource();
    expect(await copy.loadTraceEnvelopes("t0", "s0")).toEqual(await source.loadTraceEnvelopes("t0", "s0"));
    expect(await copy.loadOrchestrationState("t0", "s0")).toEqual(
      await source.loadOrchestrationState("t0", "s0"),
    );
  });

  it("keeps numbers, bytes that are no UTF-8, duplicates, records without an id, white space and records in any order", async () => {
    const odd = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]);
    const records = [
      Buffer.from(envelopeText(3, { type: "x" })),
      odd,
      Buffer.from(envelopeText(3, { type: "x" })),
      Buffer.from('{ "b" : "\\u0000\\ud83d" , "b":2 }'),
      Buffer.from('{"n":1.50,"big":9007199254740993}'),
      Buffer.from(envelopeText(0, { type: "x" })),
    ];
    const envelopes = records.map((record) => JSON.parse(record.toString()) as WorkflowTraceEventEnvelope);
    const source = sourceOfOne({
      trace: async () => ({ ...streamOfBytes(records), keys: keysOfEnvelopes(envelopes) }),
      messages: async () => streamOfBytes(records),
      orchestration: async () => ({ events: streamOfBytes(records), state: async () => null }),
    });
    await importFrom(source);
    const copy = databaseSource();
    const session = (await copy.openSession!("acme", "s1"))!;
    const expected = records.map((record) => `${record.toString("latin1")}\n`).join("");
    expect(await bytesOf(await session.trace())).toBe(expected);
    expect(await bytesOf(await session.messages())).toBe(expected);
    expect(await bytesOf((await session.orchestration()).events)).toBe(expected);

    const read = async (from: InspectorDataSource) => {
      const trace = await new GetSessionTrace(from).execute(KEY);
      if (trace.isUnchanged) throw new Error("no revision was given");
      const texts: string[] = [];
      for await (const text of trace.texts) texts.push(Buffer.from(text).toString("latin1"));
      return texts.join(",");
    };
    expect(await read(copy)).toBe(await read(source));
  });

  it("keeps a state that the events alone do not give, and the one that follows it", async () => {
    const agents = { a0: { id: "a0", role: "old" } };
    const events = [Buffer.from('{"type":"agent_input_queued","input":{"id":"i1"}}')];
    for (const queuedInputs of [[{ id: "i1" }], []]) {
      const snapshot = { agents, tasks: {}, waits: {}, queuedInputs };
      const orchestration = { events: streamOfBytes(events), state: async () => ({ snapshot }) };
      const source = sourceOfOne({ orchestration: async () => orchestration });
      for (let repeated = 0; repeated < 2; repeated++) {
        expect(await importFrom(source)).toMatchObject({ skipped: [] });
        const state = await databaseSource().loadOrchestrationState("acme", "s1");
        expect(state).toEqual({ snapshot });
      }
    }
    const [row] = await database.run("SELECT revision::int FROM agent_inspector.orchestration_checkpoints");
    const [session] = await database.run("SELECT revision::int FROM agent_inspector.sessions");
    expect(row).toEqual(session);
  });

  it("goes on where it was interrupted, and copies nothing twice", async () => {
    const { source } = sessionsInMemory(12, 2_000);
    let copied = 0;
    for (let interruption = 0; interruption < 3; interruption++) {
      const controller = new AbortController();
      const reason = new Error("interrupted");
      let last = 0;
      const importing = importFrom(source, {
        onProgress: ({ records }) => {
          last = records;
          // Running copies still finish: the sessions are more than three times that.
          if (records > 6_000) controller.abort(reason);
        },
        signal: controller.signal,
      });
      await expect(importing).rejects.toBe(reason);
      copied += last;
    }
    const { records } = await importFrom(source);
    expect(copied + records).toBeLessThanOrEqual(12 * 4_001);
    expect(records).toBeLessThan(12 * 4_001 - 20_000);
    expect(await everything(databaseSource())).toEqual(await everything(source));
    expect((await importFrom(source)).records).toBe(0);
  }, 120_000);

  it("copies what was added since, and a conversation that was compacted, also with the signal of the import before", async () => {
    const { source, last } = sessionsInMemory(1, 10);
    const { signal } = new AbortController();
    await importFrom(source, { signal });
    last.addEnvelopes([envelope(10, { type: "turn.end", outcome: "failed" })]);
    last.replaceMessages([{ summary: true }]);
    last.addToLog({ type: "update", title: "Another" });
    expect(await importFrom(source, { signal })).toMatchObject({ records: 2, skipped: [] });
    const copy = databaseSource();
    expect(await everything(copy)).toEqual(await everything(source));
    expect(await copy.listSessions()).toMatchObject([{ status: "error", title: "Another" }]);
  });

  it("leaves alone a session that an application has gone on with", async () => {
    const { source } = sessionsInMemory(3, 3);
    await importFrom(source);
    const store = createPostgresSessionStore({ connectionString: database.connectionString });
    await store.appendMessages({ tenantId: "t0", sessionId: "s0" }, [{ later: true }]);
    await store.updateSession({ tenantId: "t1", sessionId: "s1" }, { title: "Later", updatedAt: NOON });
    await store.close?.();
    const { skipped } = await importFrom(source);
    expect(skipped.map(({ sessionId }) => sessionId).sort()).toEqual(["s0", "s1"]);
    const copy = databaseSource();
    expect((await copy.loadMessages("t0", "s0")).at(-1)).toEqual({ later: true });
    expect((await copy.listSessions()).map(({ title }) => title)).toContain("Later");
  });

  it("leaves alone a session that was not imported, and writes one anew whose trace is another", async () => {
    const store = createPostgresSessionStore({ connectionString: database.connectionString });
    await store.appendMessages({ tenantId: "t0", sessionId: "s0" }, [{ own: true }]);
    await store.close?.();
    const { source } = sessionsInMemory(2, 3);
    expect((await importFrom(source)).skipped).toMatchObject([
      { sessionId: "s0", reason: expect.stringContaining("something else than an import") },
    ]);
    expect(await databaseSource().loadMessages("t0", "s0")).toEqual([{ own: true }]);
    const other = sessionsInMemory(2, 3, 7).source;
    const { skipped, records } = await importFrom(other);
    expect([skipped.map(({ sessionId }) => sessionId), records]).toEqual([["s0"], 6]);
    const copy = databaseSource();
    const read = (from: InspectorDataSource) => from.loadTraceEnvelopes("t1", "s1");
    expect(await read(copy)).toEqual(await read(other));
  });

  it("names a session that is deleted before its turn, and copies the others", async () => {
    const { source } = sessionsInMemory(2, 3);
    const items = [...(await source.listSessions()), ITEM];
    Object.assign(source, { listSessions: async () => items });
    const { skipped, records } = await importFrom(source);
    expect(skipped).toEqual([{ ...KEY, reason: "was deleted before it was read" }]);
    expect(records).toBe(2 * 7);
    expect(await databaseSource().listSessions()).toHaveLength(2);
  });

  it("lists sessions whose records know no instant by the instant that the source gave them", async () => {
    const state = new MemoryState();
    state.open("acme", "s1", NOON).addMessages([{}]);
    const source = asDataSource(new MemoryDataSource(state));
    await importFrom(source);
    expect(await databaseSource().listSessions()).toEqual(await source.listSessions());
  });
});
