import { beforeEach, describe, expect, it } from "vitest";
import {
  BASE,
  envelope,
  FAILED_TURN,
  FakeApi,
  SESSION,
  sessionItem,
} from "../../../test/support/fake-api.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import { type TraceRow, traceQuery } from "./trace-protocol.js";

let api: FakeApi;
let engine: EngineMethods;

/** A model call that says something and calls a tool. */
const ANSWERED = [
  envelope(7, "session.start", { cwd: "/shop" }),
  envelope(8, "llm.start", { callId: "c", model: "m" }),
  envelope(9, "text", { text: "I read it.\nThen I go on." }),
  envelope(10, "thinking", { text: "", encrypted: true }),
  envelope(11, "tool.start", { toolCallId: "r", toolName: "Read", input: { file_path: "/shop/src/a.ts" } }),
  envelope(12, "llm.end", { callId: "c" }),
];

const EDIT = { toolCallId: "z", toolName: "Edit" };

/** An edit with a snapshot and hooks. One hook failed. */
const HOOKED = [
  envelope(7, "tool.start", {
    toolCallId: "x",
    toolName: "Edit",
    input: { file_path: "a.ts", old_string: "one", new_string: "two\nthree" },
  }),
  envelope(8, "app.hook", {
    bookkeeping: "hook",
    toolCallId: "x",
    hook: { name: "PreToolUse:Edit", command: "lint" },
  }),
  envelope(9, "app.snapshot", { bookkeeping: "record" }),
  envelope(10, "app.hook", { bookkeeping: "hook", isError: true, error: { message: "Run the tests." } }),
  envelope(11, "tool.end", { toolCallId: "x" }),
  envelope(12, "app.hook", { bookkeeping: "hook", hook: { name: "Stop", command: "say" } }),
];

const titles = (rows: readonly TraceRow[]) => rows.map(({ kind, name }) => `${kind} ${name}`.trim());

describe("the rows of a trace", () => {
  const all = () => titles(engine.traceRows(0, 100));

  beforeEach(async () => {
    api = new FakeApi();
    engine = engineMethods(BASE, () => undefined);
    api.change("trace", ...FAILED_TURN);
    await engine.openSession(SESSION, traceQuery({}));
  });

  it("are filtered by kind, with what they lie in", () => {
    const view = engine.traceView(traceQuery({ kind: "tool" }));
    expect(view).toMatchObject({ rows: 3, queryKey: expect.stringContaining("tool") });
    expect(all()).toEqual(["turn", "tool Bash", "tool Read"]);
    expect(engine.traceRows(0, 1)[0]).toMatchObject({ aside: true });
  });

  it("are filtered by errors", () => {
    engine.traceView(traceQuery({ errors: "1" }));
    expect(all()).toEqual(["turn", "tool Bash"]);
  });

  it("are the events by sequence in a list", () => {
    engine.traceView(traceQuery({ order: "list" }));
    expect(engine.traceRows(0, 100).map(({ type }) => type)).toEqual([
      "turn.start",
      "tool.start",
      "tool.end",
      "tool.start",
      "tool.end",
      "brand.new",
      "turn.end",
    ]);
  });

  it("fold and unfold", () => {
    expect(engine.traceToggle("e0").rows).toBe(1);
    expect(engine.traceToggle("e0").rows).toBe(4);
    expect(engine.traceFoldAll(true).rows).toBe(1);
    expect(engine.traceFoldAll(false).rows).toBe(4);
  });

  it("unfold for what is located in them, by its end too", () => {
    engine.traceFoldAll(true);
    expect(engine.traceLocate("e4")).toMatchObject({ index: 2, view: { rows: 4 } });
    expect(engine.traceLocate("nobody").index).toBe(-1);
  });

  it("are marked where a search has found their start or their end", async () => {
    const snippet = { text: "needle", start: 0, end: 6 };
    const request = { q: "needle", kinds: [], ...SESSION };
    api.onSearch = async () => ({
      hits: [{ ...SESSION, in: "output", sequence: 4, snippet }],
      nextCursor: null,
    });
    await engine.search("address", request);
    expect(titles(engine.traceRows(0, 100).filter(({ hit }) => hit))).toEqual(["tool Read"]);
    engine.closeSession();
    await engine.openSession(SESSION, traceQuery({}));
    expect(titles(engine.traceRows(0, 100).filter(({ hit }) => hit))).toEqual(["tool Read"]);
    await engine.search("address", undefined);
    expect(engine.traceRows(0, 100).some(({ hit }) => hit)).toBe(false);
  });

  it("are found by the sequence of an event, which filters may hide", () => {
    expect(engine.traceEventAt(4)).toEqual({ id: "e4", hidden: false });
    engine.traceView(traceQuery({ kind: "compaction" }));
    expect(engine.traceEventAt(4)).toEqual({ id: "e4", hidden: true });
    expect(engine.traceEventAt(99)).toBeUndefined();
  });

  it("are searched for errors, around the end when asked, but for a turn that failed because of what is in it", () => {
    const from = (event: string, step: 1 | -1, around: boolean) =>
      engine.findError("trace", { event }, step, around);
    const location = { tab: "trace", query: { event: "e1" }, at: 1, of: 1 };
    expect(engine.findError("trace", {}, 1, false)).toMatchObject(location);
    expect(from("e0", 1, false)).toMatchObject(location);
    expect(from("e5", 1, false).query).toBeUndefined();
    expect(from("e5", 1, true)).toMatchObject(location);
    expect(from("e0", -1, false).query).toBeUndefined();
    expect(from("e0", -1, true)).toMatchObject(location);
    expect(engine.findError("context", { call: "3" }, 1, false)).toMatchObject({ tab: "trace", of: 1 });
    engine.traceLocate("e5");
    expect(engine.findError("trace", {}, 1, false).query).toBeUndefined();
  });

  it("open to their envelopes, as data and as JSON", () => {
    expect(engine.traceDetail("e1")).toMatchObject({
      row: { error: "exit 1", preview: "npm test" },
      start: { event: { input: { command: "npm test" } } },
      end: { event: { output: "exit 1" } },
      ancestors: [{ id: "e0", kind: "turn" }],
      cut: false,
    });
    expect(JSON.parse(engine.traceText("e1"))).toEqual({ start: FAILED_TURN[1], end: FAILED_TURN[2] });
    expect(JSON.parse(engine.traceText("e5"))).toEqual(FAILED_TURN[5]);
    expect(engine.traceDetail("nobody")).toBeUndefined();
  });

  it("are calls alone where they are sorted, with filters, and the tree again", () => {
    const view = engine.traceView(traceQuery({ order: "-duration" }));
    expect(all()).toEqual(["tool Bash", "tool Read"]);
    expect(view.queryKey).not.toBe(engine.traceView(traceQuery({ order: "duration" })).queryKey);
    engine.traceView(traceQuery({ order: "-duration", tool: "Read" }));
    expect(all()).toEqual(["tool Read"]);
    expect(engine.traceLocate("e0").index).toBe(-1);
    expect(engine.traceEventAt(0)).toMatchObject({ hidden: true });
    engine.traceView(traceQuery({}));
    expect(all()).toHaveLength(4);
  });

  it("have the bookkeeping of a step in their details, and below it where somebody asks", async () => {
    api.change("trace", ...HOOKED);
    await engine.pollSession();
    const hooked = () => engine.traceRows(0, 100).find(({ id }) => id === "e7");
    expect(hooked()).toMatchObject({ bookkeeping: { hooks: 3, others: 1, failed: 1 }, children: 0 });
    expect(all()).toHaveLength(5);
    expect(engine.traceDetail("e7")!.bookkeeping).toMatchObject({
      records: [
        { id: "e8", preview: "PreToolUse:Edit lint" },
        { id: "e9" },
        { id: "e10", error: "Run the tests." },
        { id: "e12", preview: "Stop say" },
      ],
      more: 0,
    });
    engine.traceView(traceQuery({ bookkeeping: "show" }));
    expect(
      engine
        .traceRows(0, 100)
        .map(({ id }) => id)
        .slice(4),
    ).toEqual(["e7", "e8", "e9", "e10", "e12"]);
    expect(hooked()).toMatchObject({ children: 4, folded: false });
    expect(engine.traceToggle("e7").rows).toBe(5);
    expect(engine.traceFoldAll(false).rows).toBe(9);
    engine.traceView(traceQuery({}));
    expect(all()).toHaveLength(5);
  });

  it("are one more for a record of bookkeeping that is opened, as long as it is", async () => {
    api.change("trace", ...HOOKED);
    await engine.pollSession();
    engine.traceFoldAll(true);
    expect(engine.traceEventAt(9)).toEqual({ id: "e9", hidden: false });
    const { index, view } = engine.traceLocate("e9");
    expect(engine.traceRows(index, index + 1)[0]).toMatchObject({ id: "e9", depth: 1 });
    expect(engine.traceRows(index - 1, index)[0]).toMatchObject({ id: "e7", folded: false });
    expect(engine.traceLocate("e9").view.version).toBe(view.version);
    expect(engine.traceDetail("e9")!.ancestors).toMatchObject([{ id: "e7" }]);
    expect(engine.traceLocate("e7").view.rows).toBe(view.rows - 1);
    expect(engine.findError("trace", { event: "e7" }, 1, false).query).toEqual({ event: "e10" });
    engine.traceView(traceQuery({ kind: "text" }));
    expect(engine.traceEventAt(9)).toMatchObject({ hidden: true });
  });

  it("say how many lines an edit changed, each read when it is shown, with code that comes later", async () => {
    api.change(
      "trace",
      ...HOOKED,
      envelope(13, "tool.start", EDIT),
      envelope(14, "tool.end", { ...EDIT, isError: true }),
    );
    await engine.pollSession();
    const lines = () =>
      engine
        .traceRows(0, 100)
        .filter(({ name }) => name === "Edit")
        .map((row) => row.lines);
    await expect.poll(lines, { timeout: 4_000 }).toEqual([{ added: 2, removed: 1 }, undefined]);
    expect(lines()[0]).toBe(lines()[0]);
  });

  it("say what a model call answered, and what it called", async () => {
    api.change("trace", ...ANSWERED);
    await engine.pollSession();
    expect(engine.traceRows(0, 10).find(({ kind }) => kind === "llm")).toMatchObject({
      preview: "I read it.",
      folded: true,
    });
    expect(engine.traceDetail("e8")!.answer).toEqual({
      texts: [{ id: "e9", type: "text", text: "I read it.\nThen I go on." }],
      calls: [{ id: "e11", name: "Read", preview: "src/a.ts" }],
      more: 0,
    });
    expect(engine.traceDetail("e1")!.answer).toBeUndefined();
  });

  it("read paths from the folder of their trace, else of the session", async () => {
    const read = (sequence: number, traceId: string) => ({
      ...envelope(sequence, "tool.start", { toolCallId: `${sequence}`, input: { path: "/shop/ui/a.ts" } }),
      traceId,
    });
    const start = { ...envelope(8, "session.start", { cwd: "/shop/ui" }), traceId: "other" };
    const previews = () =>
      engine.traceRows(0, 20).flatMap(({ preview }) => (preview.endsWith("a.ts") ? [preview] : []));
    api.change("sessions", sessionItem("s", { directory: "/shop" }));
    api.change("trace", read(7, "main"));
    await engine.pollSession();
    expect(previews()).toEqual(["ui/a.ts"]);
    api.change("trace", start, read(9, "other"));
    await engine.pollSession();
    expect(previews()).toEqual(["ui/a.ts", "a.ts"]);
  });

  it("cut what is very long, and copy it whole", async () => {
    const text = "x".repeat(30_000);
    api.change("trace", envelope(7, "brand.new", { text }));
    await engine.pollSession();
    const detail = engine.traceDetail("e7")!;
    expect(detail.cut).toBe(true);
    expect(JSON.stringify(detail.start).length).toBeLessThan(21_000);
    expect(engine.traceText("e7")).toContain(text);
  });
});
