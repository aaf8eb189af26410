import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  BASE,
  envelope,
  FAILED_TURN,
  FakeApi,
  SESSION,
  sessionItem,
} from "../../../test/support/fake-api.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import { type SessionState, type TraceRow, traceQuery } from "../trace/trace-protocol.js";

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

/** As many events as make a first reading report before its end. */
const MANY = Array.from({ length: 200 }, (_, i) => envelope(i, "app.step", { i }));

describe("opening a session", () => {
  it("publishes its rows, its entry in the list, and its agents", async () => {
    api.change("trace", ...FAILED_TURN);
    api.change("sessions", sessionItem("s-2"), sessionItem("s", { title: "Tests" }));
    api.change("orchestration", { agentId: "x", displayName: "X", role: "r", status: "closed" });
    await open();
    expect(last()).toMatchObject({ ...SESSION, events: 7, loading: false, problem: undefined });
    expect(last().item).toMatchObject({ sessionId: "s", title: "Tests" });
    expect(last().agents.map(({ agentId }) => agentId)).toEqual(["x"]);
    expect(last().totals).toMatchObject({ toolCalls: 2, errors: 1 });
    expect(titles(last().view.first)).toEqual(["turn", "tool Bash", "tool Read", "unknown"]);
  });

  it("folds idle time in the overview as in the rows", async () => {
    const late = { ...envelope(7, "turn.start", { turnIndex: 1 }), timestamp: "2036-01-01T00:00:00.000Z" };
    api.change("trace", ...FAILED_TURN, late);
    await open();
    expect(last().overview.axis.some(({ folded }) => folded)).toBe(true);
    const before = states.length;
    const view = engine.traceView(traceQuery({ gaps: "show" }));
    expect(last().overview.axis).toEqual(view.axis);
    expect(states).toHaveLength(before + 1);
    engine.traceView(traceQuery({ gaps: "show", kind: "tool" }));
    expect(states).toHaveLength(before + 1);
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

  it("leaves the trace until the summary is read or another view is shown, where the summary is what is shown", async () => {
    api.change("trace", ...FAILED_TURN);
    api.change("sessions", sessionItem("s", { title: "Tests" }));
    const opening = engine.openSession(SESSION, traceQuery({}), true);
    await vi.waitFor(() => expect(states.at(-1)?.item?.title).toBe("Tests"));
    await engine.pollSession();
    expect(api.requestsOf("trace")).toEqual([]);
    engine.needTrace();
    await opening;
    expect(last()).toMatchObject({ events: 7, loading: false });
  });

  it("reads the trace at once of what has no entry in the list", async () => {
    api.change("trace", ...FAILED_TURN);
    await engine.openSession(SESSION, traceQuery({}), true);
    expect(last()).toMatchObject({ events: 7, loading: false });
  });

  it("of the session that is open publishes its state and requests nothing", async () => {
    api.change("trace", ...FAILED_TURN);
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

describe("a trace that grows", () => {
  it("has the new rows after a poll, under another version", async () => {
    api.change("trace", ...FAILED_TURN.slice(0, 2));
    await open();
    const before = last();
    expect(before.view.first[1]).toMatchObject({ state: "open", name: "Bash" });
    api.change("trace", ...FAILED_TURN.slice(2, 4));
    await engine.pollSession();
    expect(last().traceVersion).toBeGreaterThan(before.traceVersion);
    expect(last().view.version).toBeGreaterThan(before.view.version);
    expect(last().view.first.slice(1)).toMatchObject([{ state: "done" }, { state: "open", name: "Read" }]);
  });

  it("keeps its filters and its folds", async () => {
    api.change("trace", ...FAILED_TURN.slice(0, 5));
    await open({ kind: "tool" });
    engine.traceToggle("e0");
    api.change("trace", ...FAILED_TURN.slice(5));
    await engine.pollSession();
    expect(last().view.rows).toBe(1);
    engine.traceToggle("e0");
    expect(titles(engine.traceRows(0, 9))).toEqual(["turn", "tool Bash", "tool Read"]);
  });

  it("costs one answer without a body while nothing changes", async () => {
    api.change("trace", ...FAILED_TURN);
    await open();
    states.length = 0;
    api.requests.length = 0;
    await engine.pollSession();
    expect(api.requests).toEqual(["/sessions/s/trace?tenantId=t&since=token0"]);
    expect(api.statuses.at(-1)).toBe(304);
    expect(states).toEqual([]);
  });

  it("parses no record again that it has parsed", async () => {
    api.change("trace", ...FAILED_TURN.slice(0, 5));
    await open();
    api.change("trace", ...FAILED_TURN.slice(5));
    const parse = vi.spyOn(JSON, "parse");
    await engine.pollSession();
    const parsed = parse.mock.calls.map(([text]) => text);
    parse.mockRestore();
    expect(parsed).toContain(JSON.stringify(FAILED_TURN[5]));
    expect(parsed).not.toContain(JSON.stringify(FAILED_TURN[0]));
  });

  it("is fetched by what was added alone, and published once a poll", async () => {
    api.change("trace", ...FAILED_TURN.slice(0, 5));
    api.change("sessions", sessionItem("s"));
    api.change("orchestration", { agentId: "x", displayName: "X", role: "r", status: "closed" });
    await open();
    await engine.messagesView();
    await vi.waitFor(async () => expect((await engine.messagesView()).loading).toBe(false));
    api.change("trace", ...FAILED_TURN.slice(5));
    api.change("messages", { role: "user", content: "go" });
    api.change("orchestration", { agentId: "y", displayName: "Y", role: "r", status: "closed" });
    const parse = vi.spyOn(JSON, "parse");
    states.length = 0;
    await engine.pollSession();
    const parsed = parse.mock.calls.map(([text]) => text);
    parse.mockRestore();
    expect(states).toHaveLength(1);
    expect(last()).toMatchObject({ events: 7, agents: [{ agentId: "x" }, { agentId: "y" }] });
    expect(await engine.messagesView()).toMatchObject({ messages: 1 });
    expect(parsed).not.toContain(JSON.stringify(FAILED_TURN[0]));
  });

  it("is read whole again from a service that does not tell what was added", async () => {
    api.follows = false;
    api.change("trace", ...FAILED_TURN.slice(0, 5));
    await open();
    api.change("trace", ...FAILED_TURN.slice(5));
    await engine.pollSession();
    expect(last().events).toBe(7);
    expect(api.requestsOf("trace").at(-1)).toMatch(/since=$/);
  });

  it("has envelopes that moved behind others in their new place, under their new number", async () => {
    api.change("trace", ...FAILED_TURN.slice(0, 2), envelope(2, "custom.a"), envelope(3, "custom.b"));
    await open();
    api.change("trace");
    const moved = { from: 2, count: 1, to: 3, sequence: 30 };
    const records = [envelope(9, "custom.new"), envelope(31, "custom.last")];
    api.nextGrowth = { records, rest: { from: 2, moved, syncToken: "later" } };
    await engine.pollSession();
    expect(last().events).toBe(5);
    expect(engine.traceText("e2")).toContain('"sequence": 30');
    expect(engine.traceEventAt(30)?.id).toBe("e2");
    expect(engine.traceEventAt(31)?.id).toBe("e31");
    api.change("trace");
    api.nextGrowth = { records: [], rest: { from: 99, syncToken: "odd" } };
    await engine.pollSession();
    expect(last()).toMatchObject({ events: 5, problem: { kind: "broken" } });
  });

  it("is read at most every ten seconds from a service without entity tags", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    try {
      api.untagged.add("trace");
      api.change("trace", ...FAILED_TURN.slice(0, 5));
      await open();
      api.change("trace", ...FAILED_TURN.slice(5));
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
    api.change("trace", ...FAILED_TURN);
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
    api.change("trace", ...FAILED_TURN);
    api.failures.set("sessions", 500);
    await open();
    expect(last()).toMatchObject({ events: 7, problem: undefined, item: undefined });
  });
});
