import { describe, expect, it } from "vitest";
import { readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import type { Span } from "../../../../src/domain/spans/span.js";
import { repeatedCall, repeatsIn } from "./fold-runs.js";
import { ALL_SPANS } from "./trace-filters.js";
import { traceModel } from "./trace-model.js";
import { DEFAULT_FOLDS, treeLines } from "./trace-rows.js";

type EventInput = readonly [type: string, fields?: object];

/** The model of events one second apart, where calls differ only in their input. */
function modelOf(events: readonly EventInput[]) {
  const facts = events.map(([type, fields], index) => {
    const timestamp = new Date(index * 1000).toISOString();
    return readEventFacts({ id: `e${index}`, timestamp, event: { type, ...fields } }, index, 0);
  });
  return traceModel(facts, new Set(), ({ start }) =>
    JSON.stringify(events[start.index]![1]).replace(/"id.*?,/, ""),
  );
}

let calls = 0;
/** A tool call of one second. */
const call = (command: string, end: object = {}, isPrompt = false): EventInput[] => {
  const toolCallId = `c${calls++}`;
  return [
    ...(isPrompt
      ? ([
          ["llm.start", { callId: `m${calls}` }],
          ["llm.end", { callId: `m${calls}` }],
        ] as const)
      : []),
    ["tool.start", { id: toolCallId, toolName: "Bash", input: { command } }],
    ["tool.end", { id: toolCallId, ...end }],
  ];
};
const FAILS = { isError: true, output: "exit 1" };
const labels = (spans: readonly Span[]) =>
  spans.map((span) => {
    const repeated = repeatedCall(span);
    return repeated === undefined ? span.kind : `${repeated.name} ×${repeatsIn(span).length}`;
  });

describe("the same tool call, again and again", () => {
  it("is one row from four calls on", () => {
    const three = [0, 1, 2].flatMap(() => call("make"));
    expect(labels(modelOf(three).roots)).toEqual(["tool", "tool", "tool"]);
    expect(labels(modelOf([...three, ...call("make"), ...call("ls")]).roots)).toEqual(["Bash ×4", "tool"]);
  });

  it("is one row with the model calls that asked for it, and holds all of them", () => {
    const events = [0, 1, 2, 3, 4].flatMap(() => call("make", FAILS, true));
    const { roots, spans, totals } = modelOf([["turn.start", { turnIndex: 0 }], ...events]);
    expect(labels(roots[0]!.children)).toEqual(["Bash ×5"]);
    const [group] = roots[0]!.children;
    expect(group!.totals).toMatchObject({ toolCalls: 5, llmCalls: 5, errors: 5 });
    expect(totals.errors).toBe(5);
    expect(spans.get("e3")!.parent).toBe(group);
  });

  it("is another call with another input, another outcome, or what a person said between", () => {
    const again = [0, 1, 2].flatMap(() => call("make"));
    const rest = (...events: EventInput[]) => labels(modelOf([...again, ...events]).roots);
    expect(rest(...call("make -j"))).not.toContain("Bash ×4");
    expect(rest(...call("make", FAILS))).not.toContain("Bash ×4");
    expect(rest(["text", { role: "user", text: "Stop." }], ...call("make"))).not.toContain("Bash ×4");
    expect(rest(["text", { text: "Once more." }], ...call("make"))).toEqual(["Bash ×4"]);
  });

  it("is by itself while it goes on", () => {
    const events = [...[0, 1, 2, 3].flatMap(() => call("make")), ...call("make").slice(0, 1)];
    expect(labels(modelOf(events).roots)).toEqual(["Bash ×4", "tool"]);
  });

  it("is found by tool, kind and error as one row that unfolds", () => {
    const { roots } = modelOf([0, 1, 2, 3].flatMap(() => call("make", FAILS, true)));
    for (const filter of [{ tools: ["Bash"] }, { kinds: ["tool"] }, { errorsOnly: true }] as const) {
      const lines = treeLines(roots, DEFAULT_FOLDS, { ...ALL_SPANS, ...filter });
      expect(lines.map(({ span, aside, folded }) => [span.kind, aside, folded])).toEqual([
        ["group", false, true],
      ]);
    }
    const models = treeLines(roots, DEFAULT_FOLDS, { ...ALL_SPANS, hidden: ["tool"] });
    expect(models.filter(({ aside }) => !aside).map(({ span }) => span.kind)).toEqual(Array(4).fill("llm"));
  });
});
