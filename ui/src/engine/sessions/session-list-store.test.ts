import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { valueText } from "../../../../src/domain/text/value-text.js";
import { BASE, FakeApi, sessionItem } from "../../../test/support/fake-api.js";
import { ODD_VALUES } from "../../../test/support/odd-values.js";
import { fillsColumn, SESSION_COLUMNS } from "../../model/sessions/session-table.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import { listQuery, type SessionListState } from "./list-protocol.js";

let api: FakeApi;
let engine: EngineMethods;
let states: SessionListState[];

beforeEach(() => {
  api = new FakeApi();
  states = [];
  engine = engineMethods(BASE, (update) => {
    if (update.topic === "list") states.push(update.state);
  });
});

const last = () => states.at(-1)!;
const ask = (query = {}) => engine.askList(listQuery(query));
const lines = () =>
  engine
    .listLines(0, 2000)
    .map((line) => (line.type === "session" ? line.session.sessionId : `group ${line.key}`));

const sessions = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => sessionItem(`s${from + i}`, { tokens: from + i }));

describe("the session list", () => {
  it("publishes its first page, and who is in it", async () => {
    api.change(
      "sessions",
      sessionItem("a", { userId: "ada" }),
      sessionItem("b", { tenantId: "u", userId: "bob" }),
      sessionItem("c"),
    );
    await ask();
    expect(last()).toMatchObject({ lines: 3, sessions: 3, complete: true, loading: false });
    expect(last().first.map((line) => line.type === "session" && line.session.sessionId)).toEqual([
      "a",
      "b",
      "c",
    ]);
    const one = (value: string) => ({ value, count: 1 });
    expect(engine.listValues()).toMatchObject({
      tenant: [{ value: "t", count: 2 }, one("u")],
      user: [one("ada"), one("bob")],
    });
  });

  it("knows which columns its sessions fill, and which of them few do, also while a search finds some", async () => {
    const full = { errors: 2, model: "gpt-5", createdAt: "2026-01-14T23:00:00.000Z", status: "error" };
    api.change("sessions", ...sessions(30).slice(1), sessionItem("c", full));
    await ask({ filter: "c" });
    const columns = ["title", "status", "tenant", "model", "errors", "duration", "turns", "tokens", "active"];
    const few = { columns, rarelyFilled: ["status", "model", "errors", "duration"] };
    expect(last()).toMatchObject({ ...few, sessions: 1 });
    api.records.sessions.length = 1;
    await ask({ q: "nothing" });
    expect(last()).toMatchObject({ ...few, sessions: 1 });
  });

  it("has text where something else is recorded in its place, and no counts that are none", async () => {
    const cost = { usd: "much" };
    api.change("sessions", sessionItem("a", { title: 1, model: {}, errors: "x", directory: null, cost }));
    await ask();
    expect(last().first).toMatchObject([{ session: { sessionId: "a", title: "1", model: "{}", errors: 0 } }]);
    expect(last()).toMatchObject({
      hasFolders: false,
      columns: ["title", "tenant", "model", "turns", "tokens", "active"],
    });
  });

  it.each(ODD_VALUES)("is listed where everything in a session is %s", async (_, value) => {
    const text = valueText(value);
    const names = Object.keys(sessionItem("a", { title: 1, model: 1, source: 1, directory: 1, prompt: 1 }));
    const rest = ["createdAt", "lastAnswer", "errors", "usage", "cost", "warnings"];
    const odd = Object.fromEntries([...names, ...rest].map((name) => [name, value]));
    api.change("sessions", { ...odd, sessionId: "a" }, sessionItem("b", { cost: { usd: value } }));
    await ask({ sort: "status", group: "day" });
    const listed = last().first.flatMap((line) => (line.type === "session" ? [line.session] : []));
    const session = listed.find(({ sessionId }) => sessionId === "a");
    expect(listed).toHaveLength(2);
    expect(session).toMatchObject({ sessionId: "a", status: "idle", userId: text, tenantId: text });
    expect(session!.title ?? "").toBe(text);
    for (const column of SESSION_COLUMNS) fillsColumn(session!, column);
    expect(session!.tokens + session!.turns).toBe(value === 42 ? 84 : 0);
  });

  it("names the sources of its sessions, and tenants by their folders where those are enough", async () => {
    const ofClaude = { tenantId: "claude-code:-home-ada-shop", source: "Claude Code" };
    api.change(
      "sessions",
      sessionItem("a", { ...ofClaude, directory: "/home/ada/shop" }),
      sessionItem("b", { ...ofClaude, directory: "/home/ada/apps/web" }),
      sessionItem("c", { ...ofClaude, directory: "/home/ada/old/web" }),
    );
    await ask();
    expect(engine.listValues()).toMatchObject({
      source: [{ value: "Claude Code", count: 3 }],
      tenant: [
        { value: "/home/ada/apps/web", label: "web" },
        { value: "/home/ada/old/web" },
        { value: "shop" },
      ],
    });
  });

  it("is read page by page, and shown before its end", async () => {
    api.change("sessions", ...sessions(2_500));
    await ask();
    expect(api.requestsOf("sessions")).toEqual([
      "/sessions?limit=100",
      "/sessions?limit=1000&cursor=100",
      "/sessions?limit=1000&cursor=1100",
      "/sessions?limit=1000&cursor=2100",
    ]);
    expect(states.map(({ complete, sessions: count }) => [complete, count])).toEqual([
      [false, 0],
      [false, 100],
      [false, 1100],
      [true, 2500],
      [true, 2500],
    ]);
    expect(last().first).toHaveLength(60);
  });

  it("comes in small pages while the service reads sessions, each shown, and then once more", async () => {
    api.change("sessions", ...sessions(450));
    api.untagged.add("sessions");
    for (const unread of [350, 150, 0]) api.counts.push({ total: 450, unread });
    await ask();
    expect(api.requestsOf("sessions")).toEqual([
      "/sessions?limit=100",
      "/sessions?limit=200&cursor=100",
      "/sessions?limit=200&cursor=300",
      "/sessions?limit=100",
      "/sessions?limit=1000&cursor=100",
    ]);
    expect(states.slice(1, 3).map(({ sessions: count, progress }) => [count, progress])).toEqual([
      [100, { read: 100, total: 450 }],
      [300, { read: 300, total: 450 }],
    ]);
    expect(last()).toMatchObject({ sessions: 450, complete: true, loading: false });
  });

  it("has a session in its place that a later page gives too late, or again", async () => {
    const minute = (n: number) => ({ lastActive: new Date(Date.UTC(2026, 0, 15, 12, n)).toISOString() });
    const first = Array.from({ length: 100 }, (_, i) => sessionItem(`s${i}`, minute(-i)));
    const again = sessionItem("s3", { ...minute(-3), title: "Again" });
    api.change("sessions", ...first, sessionItem("late", { lastActive: "2026-01-15T11:58:30.000Z" }), again);
    await ask();
    expect(lines().slice(0, 5)).toEqual(["s0", "s1", "late", "s2", "s3"]);
    expect(last()).toMatchObject({ sessions: 101, lines: 101 });
    expect(engine.listLines(4, 5)).toMatchObject([{ session: { title: "Again" } }]);
  });

  it("holds a filter against what it has, without a request, and says of how many it is not known", async () => {
    const cost = { usd: 2, unpricedCalls: 0, unpricedTokens: 0 };
    api.change("sessions", ...sessions(3), sessionItem("dear", { cost, userId: "ada" }));
    await ask();
    await ask({ filter: "user:ada OR tokens:>1" });
    expect(lines()).toEqual(["s2", "dear"]);
    await ask({ filter: "cost:>1" });
    expect(lines()).toEqual(["dear"]);
    expect(last()).toMatchObject({ sessions: 1, total: 4, undecided: 3, complete: true, costs: { usd: 2 } });
    await ask({ filter: "cots:>1" });
    expect(last()).toMatchObject({ sessions: 0, complete: true });
    expect(api.requests).toHaveLength(1);
  });

  it("asks the service what a filter means that needs more, and shows until then what it may mean", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    api.change("sessions", sessionItem("a", { turns: 5 }), sessionItem("b"), sessionItem("c"));
    await ask();
    await ask({ filter: "tool:x turns:1" });
    expect(last()).toMatchObject({ sessions: 2, isNarrowing: true, complete: false });
    api.records.sessions.splice(0, 2);
    api.change("sessions");
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(last()).toMatchObject({ sessions: 1, isNarrowing: false, complete: true }));
    expect(lines()).toEqual(["c"]);
    expect(api.requestsOf("sessions")[1]).toMatch(
      /^\/sessions\?filter=tool%3Ax\+turns%3A1&zone=\S+&limit=100$/,
    );
    await ask({});
    expect(lines()).toEqual(["a", "b", "c"]);
  });

  it("sorts and groups what it has, without a request", async () => {
    api.change("sessions", ...sessions(2), sessionItem("other", { tenantId: "u", tokens: 9 }));
    await ask();
    await ask({ sort: "-tokens" });
    expect(lines()).toEqual(["other", "s1", "s0"]);
    await ask({ group: "project" });
    expect(lines()).toEqual(["group t", "s0", "s1", "group u", "other"]);
    expect(api.requests).toHaveLength(1);
  });

  it("knows the line of a session", async () => {
    api.change("sessions", ...sessions(3));
    await ask({ group: "project" });
    expect(engine.listIndex("t", "s1")).toBe(2);
    expect(engine.listIndex("u", "s1")).toBe(-1);
  });

  it("drops the answer to a query that was replaced by another", async () => {
    api.change("sessions", ...sessions(3));
    api.change("sessions", ...sessions(200, 3));
    const release = api.hold("sessions", 2);
    const first = ask();
    const second = ask({ q: "x" });
    release();
    await Promise.all([first, second]);
    expect(last()).toMatchObject({ complete: true, problem: undefined });
    expect(states.filter(({ complete, loading }) => complete && !loading)).toHaveLength(1);
  });
});

describe("live updates of the session list", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    return () => vi.useRealTimers();
  });

  it("have another version only when the list has changed", async () => {
    api.change("sessions", ...sessions(2));
    await ask();
    const { version } = last();
    await engine.refreshList();
    expect(last()).toMatchObject({ version, lines: 2 });
    api.change("sessions", sessionItem("new"));
    await engine.refreshList();
    expect(last().version).toBeGreaterThan(version);
    expect(lines()).toEqual(["s0", "s1", "new"]);
  });

  it("replace the list once, when all of it was read", async () => {
    api.change("sessions", ...sessions(1_500));
    await ask();
    states.length = 0;
    api.change("sessions", sessionItem("new"));
    await engine.refreshList();
    expect(new Set(states.map(({ sessions: count }) => count))).toEqual(new Set([1501]));
  });

  it("wait twenty times as long as the last reading took", async () => {
    api.onRequest = () => vi.setSystemTime(Date.now() + 100);
    api.change("sessions", ...sessions(1));
    await ask();
    vi.setSystemTime(2_099);
    await engine.refreshList();
    expect(api.requests).toHaveLength(1);
    vi.setSystemTime(2_100);
    await engine.refreshList();
    expect(api.requests).toHaveLength(2);
  });

  it("keep what is known while the service is away, and go on when it is back", async () => {
    api.change("sessions", ...sessions(2));
    await ask();
    api.failures.set("sessions", 502);
    await engine.refreshList();
    expect(last()).toMatchObject({ lines: 2, problem: { kind: "unreachable", status: 502 } });
    api.failures.clear();
    await engine.refreshList();
    expect(last()).toMatchObject({ lines: 2, problem: undefined });
  });

  it("name the problem of a list that was never read", async () => {
    api.failures.set("sessions", 0);
    await ask();
    expect(last()).toMatchObject({ lines: 0, loading: false, problem: { kind: "unreachable" } });
  });

  it("take a list of something else for broken", async () => {
    api.change("sessions", { name: "no session" });
    await ask();
    expect(last().problem).toMatchObject({ kind: "broken" });
  });
});
