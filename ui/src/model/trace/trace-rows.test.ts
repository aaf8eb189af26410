import { describe, expect, it } from "vitest";
import { readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import { ALL_SPANS, filtersAnything, readFilters, type TraceFilters, writeFilters } from "./trace-filters.js";
import { eventSpans, traceModel } from "./trace-model.js";
import { nextOrder, readOrder, type TraceSort } from "./trace-order.js";
import {
  DEFAULT_FOLDS,
  type FoldState,
  listLines,
  reveal,
  sortedLines,
  toggleFold,
  treeLines,
} from "./trace-rows.js";

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
    const toggled = (folds: FoldState) => toggleFold(treeLines(roots, folds, ALL_SPANS)[0]!, folds);
    const folds = toggled(DEFAULT_FOLDS);
    expect(ids(treeLines(roots, folds, ALL_SPANS))).toEqual(["e0", "e6"]);
    expect(ids(treeLines(roots, reveal(spans.get("e3")!, folds), ALL_SPANS))).toContain("e3");
    expect(ids(treeLines(roots, toggled(folds), ALL_SPANS))).toHaveLength(4);
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
    expect(lines[1]).toMatchObject({ parts: 0, folded: false });
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

describe("what is folded in a tree", () => {
  const facts = [
    ["turn.start", { turnIndex: 0, input: "Go." }],
    ["llm.start", { callId: "c" }],
    ["text", { text: "Words." }],
    ["llm.end", { callId: "c" }],
    ["app.note", { bookkeeping: "record" }],
    ["tool.start", { toolCallId: "a", toolName: "Bash" }],
    ["app.hook", { bookkeeping: "hook", toolCallId: "a" }],
    ["tool.end", { toolCallId: "a", output: "x".repeat(400) }],
    ["app.progress", { percent: 1 }],
    ["app.progress", { percent: 2 }],
    ["tool.start", { toolCallId: "b", toolName: "Read" }],
    ["tool.end", { toolCallId: "b", output: "x".repeat(4000) }],
    ["app.hook", { bookkeeping: "hook", isError: true }],
    ["turn.end", { turnIndex: 0 }],
  ].map(([type, fields], index) =>
    readEventFacts(
      {
        id: `e${index}`,
        sequence: index,
        timestamp: new Date(index * 1000).toISOString(),
        event: { type, ...(fields as object) },
      },
      index,
      0,
    ),
  );
  const model = traceModel(facts, new Set());
  const all = { folded: new Set<string>(), unfolded: new Set(model.spans.keys()) };
  const visibleRows = (folds = DEFAULT_FOLDS, filters: Partial<TraceFilters> = {}, isVisible = () => false) =>
    treeLines(model.roots, folds, { ...ALL_SPANS, ...filters }, isVisible);

  it("stays folded while a stretch of time is shown", () => {
    const lines = visibleRows(DEFAULT_FOLDS, { from: 0, to: 60_000 });
    expect(ids(lines)).toEqual(["e0", "e1", "e5", "group:e8", "e10"]);
    expect(lines.filter(({ folded }) => folded).map(({ span }) => span.id)).toEqual(["e1", "group:e8"]);
  });

  it("is opened by a filter that picks something in it, and says so", () => {
    const lines = visibleRows(DEFAULT_FOLDS, { kinds: ["text"] });
    expect(ids(lines)).toEqual(["e0", "e1", "e2"]);
    expect(lines[1]).toMatchObject({ aside: true, folded: false, parts: 1 });
    expect(visibleRows(DEFAULT_FOLDS, { kinds: ["llm"] })[1]).toMatchObject({ folded: false, parts: 0 });
  });

  it("is folded and unfolded as it is shown, also among filters", () => {
    const filters = { ...ALL_SPANS, kinds: ["text"] } as const;
    const folds = toggleFold(treeLines(model.roots, DEFAULT_FOLDS, filters)[1]!, DEFAULT_FOLDS);
    expect(ids(treeLines(model.roots, folds, filters))).toEqual(["e0", "e1"]);
  });

  it("is no bookkeeping, whatever is unfolded or picked", () => {
    const hidden = ["e4", "e6", "e12"];
    for (const filters of [{}, { from: 0 }, { kinds: ["unknown"] }, { agent: "" }] as const) {
      expect(ids(visibleRows(all, filters)).filter((id) => hidden.includes(id))).toEqual([]);
    }
  });

  it("is no bookkeeping that is shown: it lies in what it belongs to, in the order of time", () => {
    const lines = visibleRows(DEFAULT_FOLDS, {}, () => true);
    expect(lines.map(({ span, depth }) => [span.id, depth])).toEqual([
      ["e0", 0],
      ["e1", 1],
      ["e2", 2],
      ["e4", 2],
      ["e5", 1],
      ["e6", 2],
      ["group:e8", 1],
      ["e10", 1],
      ["e12", 2],
    ]);
    expect(ids(visibleRows({ folded: new Set(["e5"]), unfolded: new Set() }, {}, () => true))).not.toContain(
      "e6",
    );
    expect(ids(visibleRows(DEFAULT_FOLDS, { kinds: ["tool"] }, () => true))).toEqual([
      "e0",
      "e5",
      "e6",
      "e10",
      "e12",
    ]);
    expect(ids(visibleRows(DEFAULT_FOLDS, { from: 9000 }, () => true))).not.toContain("e6");
  });

  it("has a failed hook at what it belongs to among the errors", () => {
    expect(ids(visibleRows(DEFAULT_FOLDS, { errorsOnly: true }))).toEqual(["e0", "e10"]);
    expect(ids(visibleRows(DEFAULT_FOLDS, { errorsOnly: true }, () => true))).toEqual(["e0", "e10", "e12"]);
  });

  it("is gone with a kind that is hidden", () => {
    expect(ids(visibleRows(all, { hidden: ["llm", "unknown"] }))).toEqual(["e0", "e5", "e10"]);
    expect(ids(visibleRows(all, { hidden: ["text"] }))).not.toContain("e2");
  });

  it("is left out of the calls by what they took or added, largest first; equals are by sequence", () => {
    const sorted = (column: TraceSort["column"], descending: boolean, filters = ALL_SPANS) =>
      ids(sortedLines(model.spans.values(), filters, { column, descending }));
    expect(sorted("duration", true)).toEqual(["e1", "e5", "e10"]);
    expect(sorted("duration", false)).toEqual(["e10", "e1", "e5"]);
    expect(sorted("added", true)).toEqual(["e10", "e5"]);
    expect(sorted("duration", true, { ...ALL_SPANS, tools: ["Bash"] })).toEqual(["e5"]);
    expect(
      sortedLines(model.spans.values(), ALL_SPANS, { column: "added", descending: true })[0],
    ).toMatchObject({
      depth: 0,
      parts: 0,
    });
  });
});

describe("the sub-agent of a hidden tool call", () => {
  it("is shown, and with a hidden sub-agent what it did is not", () => {
    const types: [string, object, string?][] = [
      ["tool.start", { toolCallId: "a", toolName: "Task" }],
      ["agent_spawned", { agent: { id: "sub" }, toolCallId: "a" }],
      ["tool.start", { toolCallId: "x", toolName: "Read", agentId: "sub" }, "sub"],
      ["tool.end", { toolCallId: "x", agentId: "sub" }, "sub"],
      ["llm.start", { callId: "c", agentId: "sub" }, "sub"],
    ];
    const facts = types.map(([type, fields, traceId = "t"], index) =>
      readEventFacts(
        {
          id: `e${index}`,
          sequence: index,
          traceId,
          source: type === "agent_spawned" ? "orchestration" : "runtime",
          event: { type, ...fields },
        },
        index,
        0,
      ),
    );
    const model = traceModel(facts, new Set(["sub"]));
    const unfolded = { folded: new Set<string>(), unfolded: new Set(model.spans.keys()) };
    const without = (kind: "tool" | "agent") =>
      treeLines(model.roots, unfolded, { ...ALL_SPANS, hidden: [kind] }).map(({ span, aside }) => [
        span.id,
        aside,
      ]);
    expect(without("tool")).toEqual([
      ["e0", true],
      ["e1", false],
      ["e4", false],
    ]);
    expect(without("agent")).toEqual([["e0", false]]);
  });
});

describe("the order of a trace", () => {
  it("goes from a column's largest to its smallest, and back to the tree", () => {
    expect(nextOrder("tree", "duration")).toBe("-duration");
    expect(nextOrder(readOrder({ order: "-duration" }), "duration")).toBe("duration");
    expect(nextOrder(readOrder({ order: "duration" }), "duration")).toBe("");
    expect(nextOrder(readOrder({ order: "duration" }), "added")).toBe("-added");
    expect(readOrder({ order: "list" })).toBe("list");
    expect(readOrder({ order: "nonsense" })).toBe("tree");
  });
});

describe("filters", () => {
  it("survive their address", () => {
    const filters = {
      kinds: ["tool"],
      hidden: ["llm", "text"],
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
