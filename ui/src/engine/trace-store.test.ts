import { beforeEach, describe, expect, it } from "vitest";
import { BASE, envelope, FAILED_TURN, FakeApi, SESSION, sessionItem } from "../../test/support/fake-api.js";
import { type EngineMethods, engineMethods } from "./engine-methods.js";
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
    const found = { tab: "trace", query: { event: "e1" }, at: 1, of: 1 };
    expect(engine.findError("trace", {}, 1, false)).toMatchObject(found);
    expect(from("e0", 1, false)).toMatchObject(found);
    expect(from("e5", 1, false).query).toBeUndefined();
    expect(from("e5", 1, true)).toMatchObject(found);
    expect(from("e0", -1, false).query).toBeUndefined();
    expect(from("e0", -1, true)).toMatchObject(found);
    expect(engine.findError("context", { call: "3" }, 1, false)).toMatchObject({ tab: "trace", of: 1 });
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
