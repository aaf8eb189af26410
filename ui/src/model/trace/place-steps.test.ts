import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EventFacts, readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import { durationMs, type Span, walkSpans } from "../../../../src/domain/spans/span.js";
import { runs } from "../../../../test/support/soak.js";
import { traceModel } from "./trace-model.js";

type EventInput = readonly [
  seconds: number,
  event: { readonly type: string; readonly [member: string]: unknown },
];

function factsOf(inputs: readonly EventInput[], traceId = "t"): EventFacts[] {
  return inputs.map(([seconds, event], index) => {
    const timestamp = new Date(seconds * 1_000).toISOString();
    return readEventFacts({ id: `e${index}`, sequence: index, traceId, timestamp, event }, index, 0);
  });
}

const modelOf = (...inputs: EventInput[]) => traceModel(factsOf(inputs), new Set());

/** A span, as reported at its end. */
function step(spanId: string, parentSpanId: string | undefined, from: number, to: number): EventInput {
  const startedAt = new Date(from * 1_000).toISOString();
  return [
    to,
    { type: "span", name: spanId, spanId, parentSpanId, startedAt, durationMs: (to - from) * 1_000 },
  ];
}

const call = (callId: string, parentSpanId: string | undefined, from: number, to: number): EventInput[] => [
  [from, { type: "llm.start", callId, parentSpanId, model: callId }],
  [to, { type: "llm.end", callId }],
];

/** `name from-to` of each span, nested. */
function outline(spans: readonly Span[]): unknown[] {
  return spans.map((span) => {
    const { kind, name, start, endAt, children } = span;
    const label = `${name || kind} ${start.at / 1_000}-${endAt / 1_000}`;
    return children.length === 0 ? label : [label, ...outline(children)];
  });
}

describe("steps of a trace", () => {
  it("have their place in the tree, and their length, though they are told at their end", () => {
    const { roots, from, to } = modelOf(
      step("fetch", "chat", 2, 3),
      step("chat", "main", 1, 4),
      step("other", "main", 5, 6),
      step("main", undefined, 0, 9),
    );
    expect(outline(roots)).toEqual([["main 0-9", ["chat 1-4", "fetch 2-3"], "other 5-6"]]);
    expect([from, to]).toEqual([0, 9_000]);
  });

  it("hold the calls that name them, in the order of time", () => {
    const { roots } = modelOf(
      [0, { type: "turn.start", turnIndex: 0 }],
      ...call("first", "node", 1, 2),
      [3, { type: "tool.start", toolCallId: "c", spanId: "s", parentSpanId: "node", toolName: "read" }],
      step("request", "s", 3.2, 3.8),
      [4, { type: "tool.end", toolCallId: "c", toolName: "read" }],
      step("node", "t", 0.5, 5),
      ...call("last", undefined, 6, 7),
      [8, { type: "turn.end", turnIndex: 0 }],
    );
    const node = ["node 0.5-5", "first 1-2", ["read 3-4", "request 3.2-3.8"]];
    expect(outline(roots)).toEqual([["turn 0-8", node, "last 6-7"]]);
  });

  it("are no answers of the call that they lie in", () => {
    const { roots } = modelOf(
      [0, { type: "llm.start", callId: "c" }],
      step("request", "c", 0, 1),
      [1, { type: "text", text: "Hi" }],
      [1, { type: "llm.end", callId: "c" }],
    );
    expect(outline(roots)).toEqual([["llm 0-1", "request 0-1", "text 1-1"]]);
  });

  it("hold the turn that was made in them, and sub-agents that name them", () => {
    const spawned = { type: "agent_spawned", agent: { id: "a", role: "helper" }, parentSpanId: "node" };
    const events = factsOf([
      [1, { type: "turn.start", turnIndex: 0, parentSpanId: "request" }],
      step("node", "t", 2, 4),
      [5, { type: "turn.end", turnIndex: 0 }],
      step("request", undefined, 0, 6),
      [3, spawned],
    ]);
    const { roots } = traceModel(
      [...events.slice(0, 4), { ...events[4]!, source: "orchestration" }],
      new Set(["a"]),
    );
    expect(outline(roots)).toEqual([["request 0-6", ["turn 1-5", ["node 2-4", "helper 3-6"]]]]);
  });

  it("stay where they were told where nobody knows their parent, and where parents go in a circle", () => {
    const { roots } = modelOf(
      [0, { type: "turn.start", turnIndex: 0 }],
      step("orphan", "gone", 1, 2),
      step("a", "b", 1, 3),
      step("b", "a", 2, 4),
      step("itself", "itself", 3, 4),
      [5, { type: "turn.end", turnIndex: 0 }],
    );
    expect(outline(roots)).toEqual([["turn 0-5", "orphan 1-2", "a 1-3", "b 2-4", "itself 3-4"]]);
  });

  it("are points where nothing says how long they took, and end no earlier than they begin", () => {
    const { roots } = modelOf(
      [1, { type: "span", name: "point", spanId: "p" }],
      [2, { type: "span", name: "back", startedAt: "1970-01-01T00:00:09.000Z" }],
      [3, { type: "span", name: "short", durationMs: 500 }],
    );
    expect(roots.map((span) => [span.name, span.state, durationMs(span)])).toEqual([
      ["point", "point", 0],
      ["back", "done", 0],
      ["short", "done", 500],
    ]);
  });

  const id = fc.constantFrom("a", "b", "c", "d", "t");
  const steps = fc.oneof(
    fc.record({ type: fc.constant("span"), spanId: id, parentSpanId: id, durationMs: fc.nat(9_000) }),
    fc.record({ type: fc.constantFrom("llm.start", "llm.end"), callId: id, parentSpanId: id }),
    fc.record({ type: fc.constantFrom("tool.start", "tool.end"), toolCallId: id, parentSpanId: id }),
    fc.record({ type: fc.constantFrom("turn.start", "turn.end"), turnIndex: fc.nat(2), parentSpanId: id }),
    fc.record({ type: fc.constantFrom("text", "evaluation", "run.start", "run.end"), parentSpanId: id }),
  );

  it("are all there once, whatever names whatever as its parent", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), steps), { maxLength: 14 }), (inputs) => {
        const model = traceModel(factsOf(inputs as EventInput[]), new Set());
        const indexes: number[] = [];
        walkSpans(model.roots, ({ kind, start, end, children, ...span }) => {
          for (const child of children) expect(child.parent?.id).toBe(span.id);
          if (kind === "group") return;
          indexes.push(start.index);
          if (end !== undefined && end !== start) indexes.push(end.index);
        });
        expect(indexes.sort((a, b) => a - b)).toEqual(inputs.map((_, i) => i));
      }),
      { numRuns: runs(500), seed: 1 },
    );
  });
});
