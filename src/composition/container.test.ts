import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { startedThreads } from "../../test/support/started-threads.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import type { ReadingPool } from "../application/ports/reading-pool.js";
import { InProcessPool } from "../application/threads/in-process-pool.js";
import type { WorkflowTraceEventEnvelope } from "../domain/trace/trace-envelope.js";
import { TOKENS } from "./container.js";
import { INSPECTOR_PATH } from "./create-inspector-route.js";
import { createInMemoryInspectorDataSource } from "./in-memory-data-source.js";
import { createInspectorContainer } from "./threaded-container.js";
import { createInspectorRoute } from "./threaded-inspector.js";

function envelope(sequence: number): WorkflowTraceEventEnvelope {
  const id = `e${sequence}`;
  const timestamp = "2026-01-15T12:00:00.000Z";
  const event = { type: "tool.start" };
  return {
    id,
    timestamp,
    sequence,
    source: "runtime",
    sessionId: "s1",
    tenantId: "default",
    traceId: "t1",
    event,
  };
}

/** One session has a trace that is sorted at once; the trace of the other is long enough for the pool. */
const source = () =>
  createInMemoryInspectorDataSource([
    { sessionId: "short", envelopes: [envelope(0)] },
    { sessionId: "long", envelopes: Array.from({ length: 12_000 }, (_, i) => envelope(i)) },
  ]);

async function traceOf(route: Hono, sessionId: string): Promise<unknown[]> {
  const app = new Hono().route(INSPECTOR_PATH, route);
  const response = await app.request(`${INSPECTOR_PATH}/sessions/${sessionId}/trace?limit=2`);
  return ((await response.json()) as { envelopes: unknown[] }).envelopes;
}

describe("A part of the container that is replaced", () => {
  it("answers in the place of the use case", async () => {
    const container = createInspectorContainer(source());
    const trace = container.resolve(TOKENS.getSessionTrace);
    const requested: string[] = [];
    container.register(TOKENS.getSessionTrace, {
      useValue: {
        execute(request, options) {
          requested.push(request.sessionId);
          return trace.execute(request, options);
        },
      },
    });
    expect(await traceOf(createInspectorRoute(container), "short")).toEqual([envelope(0)]);
    expect(requested).toEqual(["short"]);
  });

  it("sorts long traces in the place of the thread", async () => {
    const threads = startedThreads();
    const tasks: string[] = [];
    const here = new InProcessPool();
    const pool: ReadingPool = {
      threads: 1,
      run(task, input, options) {
        tasks.push(task.name);
        return here.run(task, input, options);
      },
      close: () => here.close(),
    };
    const container = createInspectorContainer(source());
    container.register(TOKENS.readingPool, { useValue: pool });
    const route = createInspectorRoute(container);
    await traceOf(route, "short");
    expect(tasks).toEqual([]);
    expect(await traceOf(route, "long")).toEqual([envelope(0), envelope(1)]);
    expect(tasks).toEqual(["orderTrace"]);
    expect(threads).toEqual([]);
  });

  it("gives the recorder its instants and ids in the place of the system's clock", async () => {
    const memory = source();
    const container = createInspectorContainer(memory, { sessionStore: memory.sessionStore });
    container.register(TOKENS.clock, {
      useValue: { now: () => Date.UTC(2020, 1, 29), newId: () => "the id" },
    });
    await container.resolve(TOKENS.recorder).open();
    expect(await memory.listSessions()).toContainEqual(
      expect.objectContaining({ sessionId: "the id", createdAt: "2020-02-29T00:00:00.000Z" }),
    );
  });

  it("belongs to that container alone", async () => {
    const replaced = createInspectorContainer(source());
    replaced.register(TOKENS.checkHealth, { useValue: { execute: () => ({ status: "ok" }) } });
    const other = createInspectorContainer(source());
    expect(other.resolve(TOKENS.checkHealth)).not.toBe(replaced.resolve(TOKENS.checkHealth));
  });
});

describe("The container", () => {
  it("starts its thread with the first long trace, and ends it when its pool is closed", async () => {
    const threads = startedThreads();
    const container = createInspectorContainer(source());
    const route = createInspectorRoute(container);
    await traceOf(route, "short");
    expect(threads).toHaveLength(0);
    expect(await traceOf(route, "long")).toEqual([envelope(0), envelope(1)]);
    expect(threads).toHaveLength(1);
    await container.resolve(TOKENS.readingPool).close();
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  it("makes each part once", () => {
    const container = createInspectorContainer(source());
    for (const token of [TOKENS.listSessions, TOKENS.readingPool, TOKENS.checkHealth]) {
      expect(container.resolve<unknown>(token)).toBe(container.resolve<unknown>(token));
    }
  });

  it("has no recorder without a store, and names what is missing", () => {
    expect(() => createInspectorContainer(source()).resolve(TOKENS.recorder)).toThrow("SessionStore");
  });

  it.each([[{}], [undefined], [null], ["./data"]])(
    "is made of no %j: the error says what is missing",
    (source) => {
      const refusal =
        "`source` is no InspectorDataSource: it has no listSessions, no loadTraceEnvelopes, no loadOrchestrationEvents, " +
        "no loadOrchestrationState, no loadMessages.";
      for (const create of [createInspectorRoute, createInspectorContainer])
        expect(() => create(source as never)).toThrow(new AgentAppConfigurationError(refusal));
    },
  );
});
