import { describe, expect, it } from "vitest";
import { type EventFacts, readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import type { Span } from "../../../../src/domain/spans/span.js";
import { answerSubject } from "./answer.js";
import { eventSpans, traceModel } from "./trace-model.js";

/** Events one second apart: `[type, fields]`, or with their own trace or source. */
type EventInput = readonly [
  type: string,
  fields?: object,
  envelope?: { source?: string; traceId?: string; at?: number },
];

function eventFacts(...inputs: readonly EventInput[]): EventFacts[] {
  return inputs.map(([type, fields, envelope], index) =>
    readEventFacts(
      {
        id: `e${index}`,
        sequence: index,
        source: envelope?.source ?? "runtime",
        traceId: envelope?.traceId ?? "t",
        timestamp: new Date((envelope?.at ?? index) * 1000).toISOString(),
        event: { type, ...fields },
      },
      index,
      0,
    ),
  );
}

function model(...inputs: readonly EventInput[]) {
  return traceModel(eventFacts(...inputs), new Set());
}

/** `kind name` of each span, nested. */
function outline(spans: readonly Span[]): unknown[] {
  return spans.map((span) => {
    const label = span.name === "" ? span.kind : `${span.kind} ${span.name}`;
    return span.children.length === 0 ? label : [label, ...outline(span.children)];
  });
}

describe("a trace", () => {
  it("pairs starts with ends by key and nests calls in their turn", () => {
    const { roots, totals } = model(
      ["turn.start", { turnIndex: 0 }],
      ["llm.start", { callId: "c" }],
      ["llm.end", { callId: "c" }],
      ["tool.start", { toolCallId: "a", toolName: "Bash" }],
      ["tool.start", { toolCallId: "b", toolName: "Read" }],
      ["tool.end", { toolCallId: "a", isError: true, output: "exit 1" }],
      ["tool.end", { toolCallId: "b" }],
      ["turn.end", { turnIndex: 0 }],
    );
    expect(outline(roots)).toEqual([["turn", "llm", "tool Bash", "tool Read"]]);
    const [turn] = roots;
    expect(turn!.children.map((span) => [span.state, span.endAt - span.start.at])).toEqual([
      ["done", 1000],
      ["done", 2000],
      ["done", 2000],
    ]);
    expect(totals).toMatchObject({ llmCalls: 1, toolCalls: 2, errors: 1, events: 8 });
    expect(turn!.totals.errors).toBe(1);
  });

  it("reads the other spelling of the same events", () => {
    const { roots } = model(
      ["turn_start", { turnIndex: 1 }],
      ["tool_execution_start", { toolCallId: "a", toolName: "Bash" }],
      ["tool_execution_end", { toolCallId: "a" }],
      ["turn_end", { turnIndex: 1 }],
    );
    expect(outline(roots)).toEqual([["turn", "tool Bash"]]);
  });

  it("draws what has no end as open, and as cut where something shows that it ended", () => {
    const { roots, to } = model(
      ["turn.start", { turnIndex: 0 }],
      ["turn.start", { turnIndex: 1 }],
      ["tool.start", { toolCallId: "a", toolName: "Bash" }],
      ["input.waiting", { question: "go on?" }],
    );
    expect(roots.map(({ state }) => state)).toEqual(["cut", "open"]);
    expect(roots[1]!.children[0]).toMatchObject({ state: "open", endAt: to });
    expect(roots[0]!.endAt).toBe(1000);
  });

  it("keeps an end without a start, and an event that nobody knows", () => {
    const { roots, spans } = model(
      ["tool.end", { toolCallId: "z", toolName: "Bash" }],
      ["brand.new", { x: 1 }],
    );
    expect(roots.map(({ kind, state }) => [kind, state])).toEqual([
      ["tool", "point"],
      ["unknown", "point"],
    ]);
    expect(spans.has("e1")).toBe(true);
  });

  it("finds a span by the id of its end", () => {
    const { spans } = model(["tool.start", { toolCallId: "a" }], ["tool.end", { toolCallId: "a" }]);
    expect(spans.get("e1")).toBe(spans.get("e0"));
  });

  it("folds runs of points of one type and keeps each of them", () => {
    const points: EventInput[] = Array.from({ length: 6 }, () => ["app.progress"]);
    const { roots, spans } = model(["turn.start"], ...points, ["error", { message: "no" }], ["turn.end"]);
    expect(outline(roots)).toEqual([
      ["turn", ["group app.progress", ...points.map(() => "unknown")], "error"],
    ]);
    expect(spans.size).toBe(1 + 6 + 1 + 1 + 1);
  });

  it("leaves texts in a row as they are: each says something else", () => {
    const texts: EventInput[] = ["First.", "Then.", "Done."].map((text) => ["text", { text }]);
    const { roots } = model(["turn.start"], ...texts, ["turn.end"]);
    expect(outline(roots)).toEqual([["turn", "text", "text", "text"]]);
    expect(roots[0]!.children.map(({ start }) => start.subject.text)).toEqual(["First.", "Then.", "Done."]);
  });

  it("names a text by the role whose words it is, where the event says so", () => {
    const { roots } = model(["text", { role: "user", record: { content: "stop" } }], ["thinking", {}]);
    expect(roots.map(({ kind, name }) => [kind, name])).toEqual([
      ["text", "user"],
      ["text", ""],
    ]);
  });

  it("has the name that an event of an unknown type has", () => {
    const { roots } = model(["acme.route", { name: "route" }], ["beat", { name: { first: "x" } }]);
    expect(outline(roots)).toEqual(["unknown route", "unknown"]);
  });

  it("shows every event in the plain list", () => {
    const complete = model(
      ["tool.start", { toolCallId: "a", toolName: "Bash" }],
      ["tool.end", { toolCallId: "a" }],
    );
    expect(eventSpans(complete).map((span) => [span.id, span.name])).toEqual([
      ["e0", "Bash"],
      ["e1", "Bash"],
    ]);
  });
});

describe("a model call", () => {
  const answer: EventInput[] = [
    ["turn.start"],
    ["llm.start", { callId: "c", model: "m", input: "a long prompt" }],
    ["thinking", { thinking: "Perhaps.\nOr not." }],
    ["text", { text: "I look.\nThen I read." }],
    ["tool.start", { toolCallId: "a", toolName: "Read" }],
    ["llm.end", { callId: "c" }],
    ["tool.start", { toolCallId: "b", toolName: "Read" }],
    ["tool.end", { toolCallId: "a" }],
    ["text", { text: "Somebody else's words." }],
    ["tool.start", { toolCallId: "d", toolName: "Bash" }],
  ];

  it("holds what the model said in it, and knows the tools that it called", () => {
    const { roots } = model(...answer);
    expect(outline(roots)).toEqual([
      ["turn", ["llm m", "text", "text"], "tool Read", "tool Read", "text", "tool Bash"],
    ]);
    const [call] = roots[0]!.children;
    expect(call!.calls!.map(({ start }) => start.key)).toEqual(["a", "b"]);
    expect(answerSubject(call!).text).toBe("I look.");
  });

  it("is called by the model of its end, where its start names none", () => {
    const { roots } = model(
      ["llm.start", { callId: "c" }],
      ["llm.end", { callId: "c", model: "big" }],
      ["llm.start", { callId: "d", model: "alias" }],
      ["llm.end", { callId: "d", model: "alias-2026" }],
    );
    expect(outline(roots)).toEqual(["llm big", "llm alias"]);
  });

  it("that said nothing is about the tools that it called, or what it thought", () => {
    const without = (...types: readonly string[]) => {
      const { roots } = model(...answer.filter(([type]) => !types.includes(type)));
      return answerSubject(roots[0]!.children[0]!).text;
    };
    expect(without("text")).toBe("→ Read ×2");
    expect(without("text", "tool.start")).toBe("Perhaps.");
    expect(without("text", "tool.start", "thinking")).toBe("a long prompt");
  });

  it("leaves the words of others where they are", () => {
    const { roots } = model(["llm.start", { callId: "c" }], ["text", { role: "user", text: "Stop" }]);
    expect(outline(roots)).toEqual(["llm", "text user"]);
  });
});

describe("sub-agents", () => {
  const spawned: EventInput[] = [
    ["turn.start", { turnIndex: 0 }],
    ["tool.start", { toolCallId: "task", toolName: "Task" }],
    ["turn.start", { turnIndex: 0, agentId: "a1" }, { traceId: "a1" }],
    ["tool.start", { toolCallId: "x", toolName: "Grep", agentId: "a1" }, { traceId: "a1" }],
    ["tool.end", { toolCallId: "x", agentId: "a1" }, { traceId: "a1" }],
    ["turn.end", { turnIndex: 0, agentId: "a1" }, { traceId: "a1" }],
    ["tool.end", { toolCallId: "task" }],
    ["turn.end", { turnIndex: 0 }],
  ];

  it("lie under the call that spawned them", () => {
    const { roots } = model(
      ...spawned,
      ["agent_spawned", { agent: { id: "a1", displayName: "finder" } }, { source: "orchestration", at: 1 }],
      ["agent_job_started", { agentId: "a1", jobId: "task" }, { source: "orchestration", at: 1 }],
      ["agent_job_completed", { agentId: "a1", job: { jobId: "task" } }, { source: "orchestration", at: 6 }],
      ["agent_closed", { close: { agentId: "a1" } }, { source: "orchestration", at: 6 }],
    );
    expect(outline(roots)).toEqual([["turn", ["tool Task", ["agent finder", "job", ["turn", "tool Grep"]]]]]);
    expect(roots[0]!.totals).toMatchObject({ subAgents: 1, toolCalls: 2 });
  });

  it("that nobody announced have a lane all the same", () => {
    const { roots } = model(...spawned);
    expect(outline(roots)).toEqual([["turn", "tool Task", ["agent a1", ["turn", "tool Grep"]]]]);
  });

  it("without a known call lie in the turn during which they began", () => {
    const { roots } = model(
      ["turn.start", { turnIndex: 0 }],
      ["turn.end", { turnIndex: 0 }, { at: 9 }],
      ["agent_spawned", { agent: { id: "a1", role: "r" } }, { source: "orchestration", at: 4 }],
    );
    expect(outline(roots)).toEqual([["turn", "agent r"]]);
  });

  it("does not take the main agent's own name for a sub-agent", () => {
    const { roots } = model(["turn.start", { turnIndex: 0, agentId: "default-agent" }], ["turn.end", {}]);
    expect(outline(roots)).toEqual(["turn"]);
  });
});

describe("the growth of the context", () => {
  const call = (callId: string, input: number): EventInput[] => [
    ["llm.start", { callId }],
    ["llm.end", { callId, usage: { inputTokens: 1, cacheReadTokens: input - 1, outputTokens: 5 } }],
  ];

  it("is counted from call to call, and a compaction is a drop", () => {
    const { growth, roots } = model(["turn.start"], ...call("a", 100), ...call("b", 160), ...call("c", 30));
    expect(growth.map(({ tokens }) => tokens)).toEqual([100, 160, 30]);
    expect(roots[0]!.children.map((span) => span.addedTokens)).toEqual([100, 60, -130]);
    expect(roots[0]).toMatchObject({ addedTokens: 30, contextTokens: 30 });
  });

  it("is estimated for tools from what they gave back", () => {
    const { roots } = model(
      ["tool.start", { toolCallId: "a" }],
      ["tool.end", { toolCallId: "a", output: "x".repeat(400) }],
    );
    expect(roots[0]!.addedTokens).toBe(100);
  });
});
