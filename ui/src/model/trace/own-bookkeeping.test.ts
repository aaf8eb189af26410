import { describe, expect, it } from "vitest";
import { type EventFacts, readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import { type Span, walkSpans } from "../../../../src/domain/spans/span.js";
import { eventSpans, traceModel } from "./trace-model.js";

type EventInput = readonly [type: string, fields?: object, traceId?: string];

function eventFacts(inputs: readonly EventInput[]): EventFacts[] {
  return inputs.map(([type, fields, traceId = "t"], index) =>
    readEventFacts(
      {
        id: `e${index}`,
        sequence: index,
        traceId,
        timestamp: new Date(index * 1000).toISOString(),
        event: { type, ...fields },
      },
      index,
      0,
    ),
  );
}

const model = (...inputs: readonly EventInput[]) => traceModel(eventFacts(inputs), new Set());

/** The spans that own bookkeeping, with the places of its records in the trace. */
function owners(roots: readonly Span[]): { readonly [id: string]: readonly number[] } {
  const indexes: { [id: string]: number[] } = {};
  walkSpans(roots, ({ id, bookkeeping }) => {
    if (bookkeeping.length > 0) indexes[id] = bookkeeping.map(({ start }) => start.index);
  });
  return indexes;
}

const hook = (toolCallId?: string): EventInput => ["app.hook", { bookkeeping: "hook", toolCallId }];
const note = (fields: object = {}, traceId = "t"): EventInput => [
  "app.note",
  { bookkeeping: "record", ...fields },
  traceId,
];
const snapshot = (stepId: string) => note({ stepId });

describe("bookkeeping", () => {
  it("belongs to the tool call that it names, also after the call and before it", () => {
    const { roots, bookkeeping } = model(
      ["turn.start"],
      hook("b"),
      ["tool.start", { toolCallId: "a", toolName: "Bash" }],
      ["tool.start", { toolCallId: "b", toolName: "Read" }],
      hook("a"),
      ["tool.end", { toolCallId: "b" }],
      ["tool.end", { toolCallId: "a" }],
      hook("a"),
    );
    expect(owners(roots)).toEqual({ e2: [4, 7], e3: [1] });
    expect(bookkeeping.size).toBe(3);
  });

  it("belongs to the step that it names: a snapshot is written before the prompt that it is of", () => {
    const { roots } = model(
      ["turn.start", { turnIndex: 0 }],
      ["tool.start", { toolCallId: "a" }],
      ["tool.end", { toolCallId: "a" }],
      snapshot("e4"),
      ["turn.start", { turnIndex: 1 }],
      ["llm.start", { callId: "c" }],
      ["text", { text: "Words." }],
      ["llm.end", { callId: "c" }],
      ["tool.start", { toolCallId: "b" }],
      snapshot("e6"),
    );
    expect(owners(roots)).toEqual({ e4: [3], e5: [9] });
  });

  it("belongs to the step before it in its agent where it names none, and to the first where none is before", () => {
    const { roots } = model(
      note(),
      ["session.start"],
      note(),
      ["turn.start", { turnIndex: 0 }],
      ["tool.start", { toolCallId: "a", toolName: "Task" }],
      note({ agentId: "sub" }, "sub"),
      ["llm.start", { callId: "c", agentId: "sub" }, "sub"],
      note(),
      ["llm.end", { callId: "c", agentId: "sub" }, "sub"],
      ["turn.end", { turnIndex: 0 }],
      hook(),
    );
    expect(owners(roots)).toEqual({ e1: [0, 2], e3: [10], e4: [7], e6: [5] });
  });

  it("is an event like any other where there is nothing that it can belong to", () => {
    const { roots, bookkeeping } = model(note(), ["brand.new"], hook());
    expect(roots.map(({ id }) => id)).toEqual(["e0", "e1", "e2"]);
    expect(bookkeeping.size).toBe(0);
  });

  it("is what says so, what repeats another event, and what runtimes are known to note: nothing else", () => {
    const { bookkeeping } = model(
      ["turn.start"],
      ["brand.new"],
      ["brand.new", { bookkeeping: "accounts" }],
      ["brand.new", { bookkeeping: true }],
      ["constructor"],
      ["error", { message: "no" }],
      ["brand.new", { repeats: true }],
      ["context.usage"],
      ["turn.end", { bookkeeping: "record" }],
    );
    expect([...bookkeeping].map(({ id }) => id)).toEqual(["e6", "e7"]);
  });

  it("is counted, found by its id, and has a line by sequence", () => {
    const trace = model(["turn.start"], hook(), ["tool.start", { toolCallId: "a" }], hook("a"));
    expect(trace.totals.events).toBe(4);
    expect(trace.spans.get("e3")!.parent!.id).toBe("e2");
    expect(eventSpans(trace)).toHaveLength(4);
  });

  it("counts as an error where a hook failed, beside what it belongs to and what lies around that", () => {
    const failed = { isError: true, error: { message: "Run the tests." } };
    const { totals, spans } = model(
      ["turn.start", { turnIndex: 0 }],
      ["tool.start", { toolCallId: "a" }],
      ["app.hook", { bookkeeping: "hook", toolCallId: "a", ...failed }],
      ["app.hook", { bookkeeping: "hook", hook: { name: "Stop", command: "say" } }],
      ["tool.end", { toolCallId: "a" }],
      ["turn.end", { turnIndex: 0, outcome: "failed" }],
    );
    expect(["e2", "e3"].map((id) => spans.get(id)!.start.error)).toEqual(["Run the tests.", undefined]);
    expect(spans.get("e1")!.totals.errors).toBe(1);
    expect(totals.errors).toBe(2);
    expect(spans.get("e3")!.start.subject.text).toBe("Stop say");
  });
});
