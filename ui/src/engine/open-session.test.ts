import { beforeEach, describe, expect, it, vi } from "vitest";
import { BASE, envelope, envelopes, FakeApi, SESSION, sessionItem } from "../../test/support/fake-api.js";
import { type EngineMethods, engineMethods } from "./engine-methods.js";
import { type SessionState, type TraceRow, traceQuery } from "./trace-protocol.js";

let api: FakeApi;
let engine: EngineMethods;
let states: SessionState[];

beforeEach(() => {
  api = new FakeApi();
  states = [];
  engine = engineMethods(BASE, (update) => {
    if (update.topic === "session") states.push(update.state);
  });
});

const open = (query = {}) => engine.openSession(SESSION, traceQuery(query));
const last = () => states.at(-1)!;
const titles = (rows: readonly TraceRow[]) => rows.map(({ kind, name }) => `${kind} ${name}`.trim());

/** A failed turn with a failed and a successful tool call, and an unknown event. */
const TURN = envelopes(
  ["turn.start", { turnIndex: 0, input: "go" }],
  ["tool.start", { toolCallId: "a", toolName: "Bash", input: { command: "npm test" } }],
  ["tool.end", { toolCallId: "a", toolName: "Bash", output: "exit 1", isError: true }],
  ["tool.start", { toolCallId: "b", toolName: "Read", input: { path: "notes.md" } }],
  ["tool.end", { toolCallId: "b", toolName: "Read", output: "needle" }],
  ["brand.new", { note: "haystack" }],
  ["turn.end", { turnIndex: 0, outcome: "failed" }],
);

/** As many tool calls as make a first reading report before its end. */
const MANY = Array.from({ length: 200 }, (_, i) => envelope(i, "app.step", { i }));

describe("opening a session", () => {
  it("publishes its rows, its entry in the list, and its agents", async () => {
    api.change("trace", ...TURN);
    api.change("sessions", sessionItem("s-2"), sessionItem("s", { title: "Tests" }));
    api.change("orchestration", { agentId: "x", displayName: "X", role: "r", status: "closed" });
    await open();
    expect(last()).toMatchObject({ ...SESSION, events: 7, loading: false, problem: undefined });
    expect(last().item).toMatchObject({ sessionId: "s", title: "Tests" });
    expect(last().agents.map(({ agentId }) => agentId)).toEqual(["x"]);
    expect(last().totals).toMatchObject({ toolCalls: 2, errors: 1 });
    expect(titles(last().view.first)).toEqual(["turn", "tool Bash", "tool Read", "unknown"]);
  });

  it("publishes the first rows while the others are still to come", async () => {
    api.change("trace", ...MANY);
    const release = api.hold("trace", 100);
    const opening = open();
    await vi.waitFor(() => expect(states.length).toBeGreaterThan(0));
    expect(last()).toMatchObject({ loading: true });
    expect(last().events).toBeGreaterThan(0);
    expect(last().events).toBeLessThanOrEqual(100);
    engine.sessionPainted();
    release();
    await opening;
    expect(last()).toMatchObject({ events: 200, loading: false });
  });

  it("requests the other lists only when the first rows were painted", async () => {
    api.change("trace", ...MANY);
    api.hold("trace", 100);
    void open();
    await vi.waitFor(() => expect(states).not.toEqual([]));
    expect(api.requestsOf("orchestration")).toEqual([]);
    engine.sessionPainted();
    await vi.waitFor(() => expect(api.requestsOf("orchestration")).toHaveLength(1));
    engine.closeSession();
  });

  it("of the session that is open publishes its state and requests nothing", async () => {
    api.change("trace", ...TURN);
    await open();
    const { length } = api.requests;
    states.length = 0;
    await open();
    expect(last()).toMatchObject({ events: 7 });
    expect(api.requests).toHaveLength(length);
  });

  it("fails what needs one while none is open", () => {
    expect(() => engine.traceRows(0, 1)).toThrow("no session is open");
  });

  it("publishes nothing once it was closed", async () => {
    api.change("trace", ...MANY);
    const release = api.hold("trace", 100);
    const opening = open();
    await vi.waitFor(() => expect(states).not.toEqual([]));
    engine.closeSession();
    states.length = 0;
    release();
    await opening;
    expect(states).toEqual([]);
  });
});

describe("the rows of a trace", () => {
  const all = () => titles(engine.traceRows(0, 100));

  beforeEach(async () => {
    api.change("trace", ...TURN);
    await open();
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

  it("are hit by a search in any field, in whatever case", () => {
    expect(engine.traceView(traceQuery({ q: "NEEDLE" })).hits).toBe(1);
    expect(engine.traceFind("hit", undefined, 1)).toEqual({ id: "e3", ordinal: 0 });
    expect(engine.traceView(traceQuery({ q: "nowhere" })).hits).toBe(0);
    expect(engine.traceFind("hit", undefined, 1)).toBeUndefined();
  });

  it("are searched for errors around the end, but for a turn that failed because of what is in it", () => {
    expect(engine.traceFind("error", undefined, 1)?.id).toBe("e1");
    expect(engine.traceFind("error", "e5", 1)?.id).toBe("e1");
    expect(engine.traceFind("error", "e0", -1)?.id).toBe("e1");
  });

  it("open to their envelopes, as data and as JSON", () => {
    expect(engine.traceDetail("e1")).toMatchObject({
      row: { error: "exit 1", preview: "npm test" },
      start: { event: { input: { command: "npm test" } } },
      end: { event: { output: "exit 1" } },
      ancestors: [{ id: "e0", kind: "turn" }],
      cut: false,
    });
    expect(JSON.parse(engine.traceText("e1"))).toEqual({ start: TURN[1], end: TURN[2] });
    expect(JSON.parse(engine.traceText("e5"))).toEqual(TURN[5]);
    expect(engine.traceDetail("nobody")).toBeUndefined();
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

describe("a trace that grows", () => {
  it("has the new rows after a poll, under another version", async () => {
    api.change("trace", ...TURN.slice(0, 2));
    await open();
    const before = last();
    expect(before.view.first[1]).toMatchObject({ state: "open", name: "Bash" });
    api.change("trace", ...TURN.slice(2, 4));
    await engine.pollSession();
    expect(last().traceVersion).toBeGreaterThan(before.traceVersion);
    expect(last().view.version).toBeGreaterThan(before.view.version);
    expect(last().view.first.slice(1)).toMatchObject([{ state: "done" }, { state: "open", name: "Read" }]);
  });

  it("keeps its filters and its folds", async () => {
    api.change("trace", ...TURN.slice(0, 5));
    await open({ kind: "tool" });
    engine.traceToggle("e0");
    api.change("trace", ...TURN.slice(5));
    await engine.pollSession();
    expect(last().view.rows).toBe(1);
    engine.traceToggle("e0");
    expect(titles(engine.traceRows(0, 9))).toEqual(["turn", "tool Bash", "tool Read"]);
  });

  it("costs one answer without a body while nothing changes", async () => {
    api.change("trace", ...TURN);
    await open();
    states.length = 0;
    api.requests.length = 0;
    await engine.pollSession();
    expect(api.requests).toEqual(["/sessions/s/trace?tenantId=t"]);
    expect(api.statuses.at(-1)).toBe(304);
    expect(states).toEqual([]);
  });

  it("parses no record again that it has parsed", async () => {
    api.change("trace", ...TURN.slice(0, 5));
    await open();
    api.change("trace", ...TURN.slice(5));
    const parse = vi.spyOn(JSON, "parse");
    await engine.pollSession();
    const parsed = parse.mock.calls.map(([text]) => text);
    parse.mockRestore();
    expect(parsed).toContain(JSON.stringify(TURN[5]));
    expect(parsed).not.toContain(JSON.stringify(TURN[0]));
  });

  it("is read at most every ten seconds from a service without entity tags", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    try {
      api.untagged.add("trace");
      api.change("trace", ...TURN.slice(0, 5));
      await open();
      api.change("trace", ...TURN.slice(5));
      vi.setSystemTime(9_999);
      await engine.pollSession();
      expect(last().events).toBe(5);
      vi.setSystemTime(10_000);
      await engine.pollSession();
      expect(last().events).toBe(7);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("an error of the API", () => {
  it("is the problem of a session that there is not", async () => {
    for (const resource of ["trace", "orchestration"] as const) api.failures.set(resource, 404);
    await open();
    expect(last()).toMatchObject({ events: 0, loading: false });
    expect(last().problem).toEqual({ kind: "missing", status: 404, detail: "trace has a problem" });
  });

  it("leaves what was read before, and goes when the service is back", async () => {
    api.change("trace", ...TURN);
    await open();
    api.failures.set("trace", 0);
    await engine.pollSession();
    expect(last()).toMatchObject({ events: 7, problem: { kind: "unreachable" } });
    const { length } = states;
    await engine.pollSession();
    expect(states).toHaveLength(length);
    api.failures.clear();
    await engine.pollSession();
    expect(last()).toMatchObject({ events: 7, problem: undefined });
  });

  it("in the middle of an answer leaves the records before it", async () => {
    api.change("trace", ...MANY);
    api.broken.set("trace", 150);
    await open();
    expect(last().problem).toMatchObject({ kind: "broken" });
    expect(last().events).toBe(150);
  });

  it("of the session list hides no trace", async () => {
    api.change("trace", ...TURN);
    api.failures.set("sessions", 500);
    await open();
    expect(last()).toMatchObject({ events: 7, problem: undefined, item: undefined });
  });
});
