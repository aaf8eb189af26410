import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { MemoryDataSource } from "../../src/adapters/memory/memory-data-source.js";
import { MemoryState } from "../../src/adapters/memory/memory-state.js";
import { SourceChangedError } from "../../src/application/errors.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { readAllRecords } from "../../src/application/sources/record-streams.js";
import { orderTrace } from "../../src/domain/trace/trace-order.js";
import { keysOfEnvelopes } from "../../src/domain/trace/trace-sequence-merge.js";
import type {
  InspectorDataSource,
  SessionSnapshot,
  SessionStore,
  WorkflowTraceEventEnvelope,
} from "../../src/index.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
} from "../../src/postgres.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

const KEY = { tenantId: "acme", sessionId: "s1" };

let store: SessionStore;
let source: InspectorDataSource;
beforeEach(() => {
  const { connectionString } = database;
  const opened = [
    createPostgresSessionStore({ connectionString }),
    createPostgresDataSource({ connectionString }),
  ];
  [store, source] = opened as [SessionStore, InspectorDataSource];
  onTestFinished(async () => {
    for (const one of opened) await one.close?.();
  });
});

async function open(): Promise<SessionSnapshot> {
  const session = await source.openSession!("acme", "s1");
  if (session === undefined) throw new Error("there is no such session");
  return session;
}

/** Three interleaved traces; their clock sometimes steps back. */
function envelopes(from: number, to: number): WorkflowTraceEventEnvelope[] {
  return Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const timestamp = new Date(Date.UTC(2026, 0, 15) + n * 1_000 - (n % 7) * 3_000).toISOString();
    const traceId = `t${Math.floor(n / 5) % (n < 12 ? 2 : 3)}`;
    return {
      ...KEY,
      id: `${n}`,
      timestamp,
      sequence: n,
      source: "runtime",
      traceId,
      event: { type: "x", n },
    };
  });
}

function spawned(n: number) {
  return {
    type: "agent_spawned",
    eventId: `e${n}`,
    occurredAt: "2026-01-15T12:00:00.000Z",
    agent: { id: `a${n}` },
  };
}

async function write(from: number, to: number): Promise<void> {
  await store.appendTraceEnvelopes(KEY, envelopes(from, to));
  await store.appendOrchestrationEvents(KEY, [spawned(from)]);
  await store.appendMessages(KEY, [{ n: from }]);
}

async function contentsOf(session: SessionSnapshot) {
  const { events, state } = await session.orchestration();
  const trace = await session.trace();
  return {
    revision: session.revision,
    trace: await readAllRecords<WorkflowTraceEventEnvelope>(trace),
    keys: { ...trace.keys },
    events: await readAllRecords(events),
    agents: Object.keys((await state())?.snapshot.agents ?? {}),
    messages: await readAllRecords(await session.messages()),
  };
}

describe("A snapshot of a session in PostgreSQL", () => {
  it("is of the moment at which the session was opened, whatever is written before it is read", async () => {
    await write(0, 10);
    const [first, again] = [await open(), await open()];
    const before = await contentsOf(first);
    expect(before).toMatchObject({ agents: ["a0"], messages: [{ n: 0 }], trace: envelopes(0, 10) });
    await write(10, 30);
    await store.replaceMessages(KEY, [{ summary: true }]);
    expect((await contentsOf(await open())).trace).toHaveLength(30);
    for (const earlier of [first, again]) expect(await contentsOf(earlier)).toEqual(before);
    const now = await contentsOf(await open());
    expect(now).toMatchObject({ agents: ["a0", "a10"], messages: [{ summary: true }] });
    expect(now.revision).not.toBe(before.revision);
  });

  it("is undefined for a session that there is not, and the five methods find nothing there", async () => {
    await write(0, 1);
    for (const [tenantId, sessionId] of [
      ["acme", "s2"],
      ["globex", "s1"],
    ] as const) {
      expect(await source.openSession!(tenantId, sessionId)).toBeUndefined();
      expect(await source.loadTraceEnvelopes(tenantId, sessionId)).toEqual([]);
      expect(await source.loadOrchestrationEvents(tenantId, sessionId)).toEqual([]);
      expect(await source.loadOrchestrationState(tenantId, sessionId)).toBeNull();
      expect(await source.loadMessages(tenantId, sessionId)).toEqual([]);
    }
  });

  it("has no messages of sub-agents", async () => {
    await write(0, 1);
    const messages = await (await open()).messages("a0");
    expect(messages.size).toBe(0);
    expect(await readAllRecords(messages)).toEqual([]);
  });

  it("is refused where an import has replaced its state, and is there when it is opened again", async () => {
    const state = new MemoryState();
    const stored = state.open("acme", "s1", 0);
    const memory = new MemoryDataSource(state);
    const { connectionString } = database;
    let role = "old";
    const snapshot = () => ({ tasks: {}, waits: {}, queuedInputs: [], agents: { a1: { id: "a1", role } } });
    const withState: InspectorDataSource = Object.assign(asDataSource(memory), {
      openSession: async (...ids: [string, string]) => {
        const session = await memory.openSession(...ids);
        const { events } = await session!.orchestration();
        return {
          ...session!,
          orchestration: async () => ({ events, state: async () => ({ snapshot: snapshot() }) }),
        };
      },
    });
    await importIntoPostgres(withState, { connectionString });
    const before = await open();
    role = "new";
    stored.addMessages([{ n: 1 }]);
    await importIntoPostgres(withState, { connectionString });
    await expect((await before.orchestration()).state()).rejects.toThrow(SourceChangedError);
    expect(await (await (await open()).orchestration()).state()).toEqual({ snapshot: snapshot() });
  });
});

describe("The keys of a trace in PostgreSQL", () => {
  it("are those of its envelopes, however the trace has grown and is read meanwhile", async () => {
    const views: { readonly keys: object; readonly copy: object }[] = [];
    for (const [from, to] of [
      [0, 3],
      [3, 12],
      [12, 13],
      [13, 40],
      [40, 41],
    ] as const) {
      await store.appendTraceEnvelopes(KEY, envelopes(from, to));
      const earlier = await open();
      const [one, other] = await Promise.all([(await open()).trace(), (await open()).trace()]);
      expect({ ...one.keys }).toEqual(keysOfEnvelopes(envelopes(0, to)));
      expect({ ...other.keys }).toEqual({ ...one.keys });
      expect((await earlier.trace()).keys).toEqual(one.keys);
      views.push({ keys: one.keys, copy: structuredClone({ ...one.keys }) });
    }
    for (const { keys, copy } of views) expect({ ...keys }).toEqual(copy);
  });

  it("are the same object as long as the envelopes are the same, and can be given to a thread", async () => {
    await store.appendTraceEnvelopes(KEY, envelopes(0, 20));
    const { keys } = await (await open()).trace();
    await store.appendMessages(KEY, [{ n: 1 }]);
    expect((await (await open()).trace()).keys).toBe(keys);
    const sorted = (given: typeof keys) => {
      const steps = orderTrace(given);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
      }
    };
    expect(sorted(structuredClone({ ...keys }))).toEqual(sorted(keys));
    expect(sorted(structuredClone(keys))).toEqual(sorted(keysOfEnvelopes(envelopes(0, 20))));
  });

  it("are read in parts for a long trace, and are not read for a session that was deleted", async () => {
    await store.appendTraceEnvelopes(KEY, envelopes(0, 1));
    const size = 40_000;
    await database.run(`INSERT INTO agent_inspector.trace_envelopes
      SELECT 'acme', 's1', n, gen_random_uuid(), 2, 't' || n / 17000, n, CASE WHEN n % 3 = 0 THEN 'NaN' ELSE n + 0.5 END, '{}', NULL
      FROM generate_series(1, ${size - 1}) AS n;
      UPDATE agent_inspector.sessions SET trace_size = ${size}`);
    const { keys } = await (await open()).trace();
    expect(keys).toMatchObject({ size, traceIds: ["t0", "t1", "t2"] });
    for (const n of [1, 16_999, 17_000, 33_999, 34_000, size - 1]) {
      expect(keys.traces[n]).toBe(Math.floor(n / 17_000));
      expect(keys.sequences[n]).toBe(n);
      expect(keys.instants[n]).toBe(n % 3 === 0 ? Number.NaN : n + 0.5);
    }
    const deleted = createPostgresDataSource({ connectionString: database.connectionString });
    onTestFinished(() => deleted.close?.());
    const session = await deleted.openSession!("acme", "s1");
    await database.empty();
    await expect(session!.trace()).rejects.toThrow(SourceChangedError);
  });
});
