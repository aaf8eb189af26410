import { describe, expect, it } from "vitest";
import { type EventFacts, readEventFacts } from "./event-facts.js";
import { type Span, walkSpans } from "./span.js";
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
  const found: { [id: string]: number[] } = {};
  walkSpans(roots, ({ id, bookkeeping }) => {
    if (bookkeeping.length > 0) found[id] = bookkeeping.map(({ start }) => start.index);
  });
  return found;
}

const hook = (toolCallId?: string): EventInput => [
  "claude-code.progress",
  { subtype: "hook_progress", toolCallId },
];
const snapshot = (messageId: string): EventInput => [
  "claude-code.file-history-snapshot",
  { record: { messageId } },
];

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
      ["claude-code.attachment", { subtype: "hook_success", record: { attachment: { toolUseID: "a" } } }],
    );
    expect(owners(roots)).toEqual({ e2: [4, 7], e3: [1] });
    expect(bookkeeping.size).toBe(3);
  });

  it("belongs to the step that it names: a snapshot is written before the prompt that it is of", () => {
    const { roots } = model(
      ["turn.start", { turnIndex: 0 }],
      ["tool.start", { toolCallId: "a" }],
      ["tool.end", { toolCallId: "a" }],
      snapshot("E4"),
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
      ["claude-code.permission-mode"],
      ["session.start"],
      ["claude-code.mode"],
      ["turn.start", { turnIndex: 0 }],
      ["tool.start", { toolCallId: "a", toolName: "Task" }],
      ["codex.token_count", { agentId: "sub" }, "sub"],
      ["llm.start", { callId: "c", agentId: "sub" }, "sub"],
      ["claude-code.queue-operation"],
      ["llm.end", { callId: "c", agentId: "sub" }, "sub"],
      ["turn.end", { turnIndex: 0 }],
      ["claude-code.system", { subtype: "stop_hook_summary" }],
    );
    expect(owners(roots)).toEqual({ e1: [0, 2], e3: [10], e4: [7], e6: [5] });
  });

  it("is an event like any other where there is nothing that it can belong to", () => {
    const { roots, bookkeeping } = model(["claude-code.summary"], ["brand.new"], ["codex.turn_context"]);
    expect(roots.map(({ id }) => id)).toEqual(["e0", "e1", "e2"]);
    expect(bookkeeping.size).toBe(0);
  });

  it("is no type that nobody knows, and nothing that was said", () => {
    const { bookkeeping } = model(
      ["turn.start"],
      ["claude-code.brand-new"],
      ["claude-code.attachment", { subtype: "queued_command" }],
      ["claude-code.system", { subtype: "local_command" }],
      ["constructor"],
      ["error", { message: "no" }],
      ["codex.function_call_output", { repeats: true }],
    );
    expect([...bookkeeping].map(({ id }) => id)).toEqual(["e6"]);
  });

  it("is counted, found by its id, and has a line by sequence", () => {
    const trace = model(["turn.start"], hook(), ["tool.start", { toolCallId: "a" }], hook("a"));
    expect(trace.totals.events).toBe(4);
    expect(trace.spans.get("e3")!.parent!.id).toBe("e2");
    expect(eventSpans(trace)).toHaveLength(4);
  });

  it("counts as an error where a hook failed", () => {
    const failed: readonly object[] = [
      {
        subtype: "hook_blocking_error",
        record: { attachment: { blockingError: { blockingError: "Run the tests." } } },
      },
      { subtype: "hook_non_blocking_error", record: { attachment: { stderr: "sh: bun: not found" } } },
      { subtype: "hook_success", record: { attachment: { hookName: "Stop", command: "say", exitCode: 0 } } },
    ];
    const { totals, spans } = model(
      ["tool.start", { toolCallId: "a" }],
      ["tool.end", { toolCallId: "a" }],
      ...failed.map((fields): EventInput => ["claude-code.attachment", fields]),
      ["claude-code.system", { subtype: "stop_hook_summary", record: { hookErrors: ["exit 2"] } }],
      ["claude-code.system", { subtype: "stop_hook_summary", record: { hookErrors: [] } }],
    );
    expect(["e2", "e3", "e4", "e5", "e6"].map((id) => spans.get(id)!.start.error)).toEqual([
      "Run the tests.",
      "sh: bun: not found",
      undefined,
      "exit 2",
      undefined,
    ]);
    expect(totals.errors).toBe(3);
    expect(spans.get("e4")!.start.subject.text).toBe("Stop say");
  });
});
