import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTrace } from "../../../test/support/merge-trace.js";
import { runs } from "../../../test/support/soak.js";
import { runToEnd } from "../lists/run-to-end.js";
import type { WorkflowTraceEventEnvelope } from "./trace-envelope.js";
import { orderTrace } from "./trace-order.js";
import { keysOfEnvelopes, TraceSequenceMerge } from "./trace-sequence-merge.js";

const NOON = Date.UTC(2026, 0, 15, 12);

interface Stored {
  readonly traceId: string;
  readonly sequence?: number | undefined;
  readonly second?: number | undefined;
}

let ids = 0;

function envelope({ traceId, sequence, second }: Stored): WorkflowTraceEventEnvelope {
  return {
    id: `e${ids++}`,
    ...(second === undefined ? {} : { timestamp: new Date(NOON + second * 1_000).toISOString() }),
    ...(sequence === undefined ? {} : { sequence }),
    source: "runtime",
    sessionId: "s1",
    tenantId: "acme",
    traceId,
    event: { type: "x" },
  } as WorkflowTraceEventEnvelope;
}

function merge(runtime: readonly WorkflowTraceEventEnvelope[], orchestration: readonly unknown[] = []) {
  return mergeTrace("acme", "s1", runtime, orchestration);
}

function summary(envelopes: readonly WorkflowTraceEventEnvelope[]): string[] {
  return envelopes.map(({ traceId, id, sequence }) => `${traceId} ${id} ${sequence}`);
}

/** Any history: interleaved, restarted and repeated sequences, clocks that step back, fields that are missing. */
const histories = fc.array(
  fc
    .record({
      traceId: fc.constantFrom("t1", "t2", "t3"),
      sequence: fc.option(fc.nat({ max: 12 }), { nil: undefined, freq: 8 }),
      second: fc.option(fc.nat({ max: 20 }), { nil: undefined, freq: 8 }),
    })
    .map(envelope),
  { maxLength: 30 },
);

const orchestrations = fc.array(
  fc.oneof(
    fc.record(
      {
        eventId: fc.uuid(),
        type: fc.constantFrom("agent_spawned", "agent_closed"),
        occurredAt: fc.nat({ max: 20 }).map((second) => new Date(NOON + second * 1_000).toISOString()),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  ),
  { maxLength: 10 },
);

interface Queued {
  readonly id: string;
  readonly stored: number;
  /** A missing value is that of the previous envelope in the stored trace. */
  readonly sequence: number;
  readonly carried: number;
  readonly own: number | undefined;
}

/** The specification's own words, naively: queues by sequence; again and again the earliest head. */
function naiveOrder(runtime: readonly WorkflowTraceEventEnvelope[]): string[] {
  const queues = new Map<string, Queued[]>();
  for (const [stored, { id, traceId, sequence, timestamp }] of runtime.entries()) {
    const queue = queues.get(traceId) ?? [];
    queues.set(traceId, queue);
    const before = queue[queue.length - 1];
    const own = timestamp === undefined ? undefined : Date.parse(timestamp);
    const carried = own ?? before?.carried ?? Number.NEGATIVE_INFINITY;
    queue.push({ id, stored, sequence: sequence ?? before?.sequence ?? -1, carried, own });
  }
  const inOrder = [...queues.values()].map((queue) => {
    queue.sort((a, b) => a.sequence - b.sequence || compare(a.carried, b.carried) || a.stored - b.stored);
    let instant = queue.find(({ own }) => own !== undefined)?.own ?? Number.NEGATIVE_INFINITY;
    return queue.map(({ id, stored, own }) => {
      instant = own ?? instant;
      return { id, stored, instant };
    });
  });
  inOrder.sort((a, b) => compare(a[0]!.instant, b[0]!.instant) || a[0]!.stored - b[0]!.stored);
  const merged: string[] = [];
  while (merged.length < runtime.length) {
    const waiting = inOrder.filter((queue) => queue.length > 0);
    const earliest = waiting.reduce((best, queue) => (queue[0]!.instant < best[0]!.instant ? queue : best));
    merged.push(earliest.shift()!.id);
  }
  return merged;
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

describe("mergeTrace holds to its laws", () => {
  it("gives every envelope and every orchestration event once", () => {
    fc.assert(
      fc.property(histories, orchestrations, (runtime, orchestration) => {
        const merged = merge(runtime, orchestration);
        const fromRuntime = merged.slice(0, runtime.length);
        expect(fromRuntime.map(({ id }) => id).sort()).toEqual(runtime.map(({ id }) => id).sort());
        expect(merged).toHaveLength(runtime.length + orchestration.length);
      }),
    );
  });

  it("gives sequences that strictly increase", () => {
    fc.assert(
      fc.property(histories, orchestrations, (runtime, orchestration) => {
        const sequences = merge(runtime, orchestration).map(({ sequence }) => sequence);
        expect(sequences.every((sequence, i) => i === 0 || sequence > sequences[i - 1]!)).toBe(true);
      }),
    );
  });

  it("keeps the order inside each trace", () => {
    fc.assert(
      fc.property(histories, (runtime) => {
        const merged = merge(runtime);
        for (const traceId of ["t1", "t2", "t3"]) {
          const alone = merge(runtime.filter((stored) => stored.traceId === traceId));
          const inMerged = merged.filter((stored) => stored.traceId === traceId);
          expect(inMerged.map(({ id }) => id)).toEqual(alone.map(({ id }) => id));
        }
      }),
    );
  });

  it("puts every runtime envelope before every orchestration event", () => {
    fc.assert(
      fc.property(histories, orchestrations, (runtime, orchestration) => {
        const sources = merge(runtime, orchestration).map(({ source }) => source);
        expect(sources.lastIndexOf("runtime")).toBeLessThan(
          sources.includes("orchestration") ? sources.indexOf("orchestration") : sources.length,
        );
      }),
    );
  });

  it("changes nothing when its result is merged again", () => {
    fc.assert(
      fc.property(histories, (runtime) => {
        const once = merge(runtime);
        expect(merge(once)).toEqual(once);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("orders as queues do of which the earliest head is taken again and again", () => {
    fc.assert(
      fc.property(histories, (runtime) => {
        expect(merge(runtime).map(({ id }) => id)).toEqual(naiveOrder(runtime));
      }),
      { numRuns: runs(5_000) },
    );
  });
});

describe("mergeTrace", () => {
  it("keeps stored sequences that strictly increase, gaps and all", () => {
    const runtime = [3, 7, 20].map((sequence) => envelope({ traceId: "t1", sequence, second: sequence }));
    expect(merge(runtime, [{ type: "agent_spawned" }]).map(({ sequence }) => sequence)).toEqual([
      3, 7, 20, 21,
    ]);
  });

  it("numbers anew where traces each start at 0", () => {
    const runtime = [0, 1, 0, 1].map((sequence, i) =>
      envelope({ traceId: i < 2 ? "t1" : "t2", sequence, second: i }),
    );
    expect(merge(runtime).map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3]);
  });

  it("lets traces that ran one after another follow one another, in whatever order they were stored", () => {
    const later = [0, 1].map((sequence) => envelope({ traceId: "t2", sequence, second: 10 + sequence }));
    const earlier = [0, 1].map((sequence) => envelope({ traceId: "t1", sequence, second: sequence }));
    const merged = merge([...later, ...earlier]);
    expect(merged.map(({ traceId }) => traceId)).toEqual(["t1", "t1", "t2", "t2"]);
  });

  it("interleaves traces that ran at the same time", () => {
    const runtime = ["t1", "t2"].flatMap((traceId, trace) =>
      [0, 1].map((sequence) => envelope({ traceId, sequence, second: sequence * 10 + trace })),
    );
    expect(merge(runtime).map(({ traceId }) => traceId)).toEqual(["t1", "t2", "t1", "t2"]);
  });

  it("does not break a trace whose clock stepped back", () => {
    const runtime = [10, 11, 2, 3].map((second, sequence) => envelope({ traceId: "t1", sequence, second }));
    expect(summary(merge(runtime))).toEqual(summary(runtime));
  });

  it("starts orchestration at 0 where nothing ran", () => {
    expect(merge([], [{ type: "run_started" }])).toMatchObject([{ sequence: 0, source: "orchestration" }]);
  });

  it("orders orchestration events by instant; one without stays behind the one it was stored after", () => {
    const at = (second: number) => new Date(NOON + second * 1_000).toISOString();
    const merged = merge(
      [],
      [
        { eventId: "late", type: "x", occurredAt: at(9) },
        { eventId: "behind late", type: "x" },
        { eventId: "early", type: "x", timestamp: at(1) },
      ],
    );
    expect(merged.map(({ id }) => id)).toEqual(["early", "late", "behind late"]);
    expect(merged.map(({ timestamp }) => timestamp)).toEqual([at(1), at(9), at(9)]);
  });

  it("gives an orchestration event without an instant that of the last runtime envelope, never now", () => {
    const runtime = [envelope({ traceId: "t1", sequence: 0, second: 5 })];
    expect(merge(runtime, [{ type: "x" }])[1]).toMatchObject({
      timestamp: "2026-01-15T12:00:05.000Z",
      traceId: "t1",
    });
  });

  it("derives an id from session and position, the same in every response", () => {
    const [first, second] = merge([], [{ type: "x" }, { type: "x" }]);
    expect(first?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(second?.id).not.toBe(first?.id);
    expect(merge([], [{ type: "x" }, { type: "x" }]).map(({ id }) => id)).toEqual([first?.id, second?.id]);
  });

  it("shows a stored value that is no object, and an event without a type, as unknown", () => {
    const merged = merge([], [42, null, { of: "something" }]);
    expect(merged.map(({ event }) => event)).toEqual([
      { type: "unknown", value: 42 },
      { type: "unknown", value: null },
      { type: "unknown", of: "something" },
    ]);
  });

  it("takes the trace of an orchestration event from itself, then its run, then the session's last", () => {
    const runtime = [envelope({ traceId: "t9", sequence: 0, second: 0 })];
    const merged = merge(runtime, [
      { type: "x", traceId: "own", runId: "r1" },
      { type: "x", runId: "r1" },
      { type: "x" },
    ]);
    expect(merged.slice(1).map(({ traceId }) => traceId)).toEqual(["own", "r1", "t9"]);
  });
});

it("makes envelopes of a part of the orchestration events, as they are in the whole", () => {
  fc.assert(
    fc.property(orchestrations, fc.nat({ max: 10 }), fc.nat({ max: 10 }), (events, a, b) => {
      const part = [Math.min(a, events.length), Math.min(Math.max(a, b), events.length)] as const;
      const merged = new TraceSequenceMerge(runToEnd(orderTrace(keysOfEnvelopes([]))));
      const all = runToEnd(merged.orchestrationEnvelopes("acme", "s1", events));
      expect(runToEnd(merged.orchestrationEnvelopes("acme", "s1", events, part))).toEqual(all.slice(...part));
    }),
  );
});
