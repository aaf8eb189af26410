import { describe, expect, it } from "vitest";
import { readEventFacts } from "./event-facts.js";
import { ALL_SPANS, filtersAnything, readFilters, writeFilters } from "./trace-filters.js";
import { eventSpans, traceModel } from "./trace-model.js";
import { DEFAULT_FOLDS, isFolded, listLines, reveal, toggleFold, treeLines } from "./trace-rows.js";

const types: [string, object][] = [
  ["turn.start", { turnIndex: 0 }],
  ["tool.start", { toolCallId: "a", toolName: "Bash" }],
  ["tool.end", { toolCallId: "a", isError: true, output: "no such file" }],
  ["tool.start", { toolCallId: "b", toolName: "Read" }],
  ["tool.end", { toolCallId: "b" }],
  ["turn.end", { turnIndex: 0 }],
  ["turn.start", { turnIndex: 1 }],
  ["turn.end", { turnIndex: 1 }],
];
const { roots, spans } = traceModel(
  types.map(([type, fields], index) =>
    readEventFacts(
      {
        id: `e${index}`,
        sequence: index,
        timestamp: new Date(index).toISOString(),
        event: { type, ...fields },
      },
      index,
      0,
    ),
  ),
  new Set(),
);

const ids = (lines: ReturnType<typeof treeLines>) => lines.map(({ span }) => span.id);

describe("the lines of the waterfall", () => {
  it("are the spans with their depth", () => {
    expect(treeLines(roots, DEFAULT_FOLDS, ALL_SPANS).map(({ span, depth }) => [span.id, depth])).toEqual([
      ["e0", 0],
      ["e1", 1],
      ["e3", 1],
      ["e6", 0],
    ]);
  });

  it("leave out what is folded, and reveal it again", () => {
    const folds = toggleFold(roots[0]!, DEFAULT_FOLDS);
    expect(ids(treeLines(roots, folds, ALL_SPANS))).toEqual(["e0", "e6"]);
    expect(ids(treeLines(roots, reveal(spans.get("e3")!, folds), ALL_SPANS))).toContain("e3");
    expect(ids(treeLines(roots, toggleFold(roots[0]!, folds), ALL_SPANS))).toHaveLength(4);
  });

  it("show what a filter asks for, and what it lies in as an aside", () => {
    const lines = treeLines(roots, DEFAULT_FOLDS, { ...ALL_SPANS, errorsOnly: true });
    expect(lines.map(({ span, aside }) => [span.id, aside])).toEqual([
      ["e0", true],
      ["e1", false],
    ]);
    expect(ids(treeLines(roots, DEFAULT_FOLDS, { ...ALL_SPANS, tools: ["Read"] }))).toEqual(["e0", "e3"]);
    expect(ids(treeLines(roots, DEFAULT_FOLDS, { ...ALL_SPANS, from: 6 }))).toEqual(["e6"]);
  });
});

describe("texts without words", () => {
  const facts = [
    ["turn.start", { turnIndex: 0 }],
    ["llm.start", { callId: "c" }],
    ["thinking", { text: "", encrypted: true }],
    ["llm.end", { callId: "c" }],
    ["text", { role: "user", text: " \n" }],
    ["text", { role: "user", text: "", images: ["a.png"] }],
    ["text", { role: "user", text: "Words." }],
  ].map(([type, fields], index) =>
    readEventFacts({ id: `e${index}`, event: { type, ...(fields as object) } }, index, 0),
  );
  const model = traceModel(facts, new Set());

  it("have no line, and nothing to unfold", () => {
    const lines = treeLines(model.roots, { folded: new Set(), unfolded: new Set(["e1"]) }, ALL_SPANS);
    expect(ids(lines)).toEqual(["e0", "e1", "e5", "e6"]);
    expect(isFolded(model.spans.get("e1")!, DEFAULT_FOLDS)).toBe(false);
    expect(ids(treeLines(model.roots, DEFAULT_FOLDS, { ...ALL_SPANS, kinds: ["text"] }))).toEqual([
      "e0",
      "e5",
      "e6",
    ]);
  });

  it("are events all the same: they have an address and a line by sequence", () => {
    expect(model.totals.events).toBe(7);
    expect(model.spans.has("e2")).toBe(true);
    expect(ids(listLines(eventSpans(model), ALL_SPANS))).toHaveLength(7);
  });
});

describe("filters", () => {
  it("survive their address", () => {
    const filters = {
      kinds: ["tool"],
      tools: ["a,b", "c%"],
      agent: "",
      errorsOnly: true,
      from: 1,
      to: 2,
    } as const;
    const query = Object.fromEntries(
      Object.entries(writeFilters(filters)).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    expect(readFilters(query)).toEqual(filters);
    expect(readFilters({})).toEqual(ALL_SPANS);
    expect(filtersAnything(readFilters({ from: "soon" }))).toBe(false);
  });
});
