import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { BASE, FakeApi, sessionItem } from "../../../test/support/fake-api.js";
import type { PageSearch } from "../../model/search/search.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import { MOST_NOTES, type SearchLine, type SearchState } from "./search-protocol.js";

const REQUEST: PageSearch = { q: "needle", kinds: [], tenantId: "", sessionId: "" };
const ALL = { sessions: 4, bytes: 400 };

let api: FakeApi;
let engine: EngineMethods;
let states: SearchState[];
let queries: URLSearchParams[];

beforeEach(() => {
  api = new FakeApi();
  states = [];
  queries = [];
  engine = engineMethods(BASE, (update) => {
    if (update.topic === "search" && update.name === "address") states.push(update.state);
  });
});

const last = () => states.at(-1)!;

function hit(sessionId: string, sequence: number): SearchHit {
  const snippet = { text: `a needle ${sequence}`, start: 2, end: 8 };
  return { tenantId: "t", sessionId, in: "output", sequence, matches: 1, snippet };
}

function hits(sessionId: string, count: number): SearchHit[] {
  return Array.from({ length: count }, (_, sequence) => hit(sessionId, sequence));
}

/** Answers with these, one after another; the last of them has no cursor. */
function answer(...pages: readonly (readonly SearchHit[])[]): void {
  api.onSearch = async (query) => {
    queries.push(query);
    const page = Number(query.get("cursor") ?? 0);
    const searched = { sessions: page + 1, bytes: (page + 1) * 100 };
    const nextCursor = page + 1 < pages.length ? String(page + 1) : null;
    return { hits: pages[page], searched, total: ALL, nextCursor };
  };
}

const named = (lines: readonly SearchLine[]) =>
  lines.map((line) => {
    if (line.type === "hit") return line.hit.sequence;
    return line.type === "session" ? `${line.sessionId} ${line.hits}` : line.type;
  });

describe("a search", () => {
  it("follows the cursor to the end, says how far it is, and says nothing is found only then", async () => {
    answer([], [], []);
    await engine.search("address", {
      ...REQUEST,
      kinds: ["text", "error"],
      tenantId: "a b",
      sessionId: "s/1",
    });
    expect(states.map(({ status, searched }) => `${status} ${searched.sessions}`)).toEqual([
      "running 0",
      "running 1",
      "running 2",
      "done 3",
    ]);
    expect(last()).toMatchObject({ hits: 0, lines: 0, searched: { sessions: 3, bytes: 300 }, total: ALL });
    expect(Object.fromEntries(queries[1]!)).toEqual({
      q: "needle",
      tenantId: "a b",
      sessionId: "s/1",
      in: "text,error",
      limit: "100",
      cursor: "1",
    });
  });

  it("keeps what each answer says could not be searched, until something else is asked for", async () => {
    const names = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `note ${from + i}`);
    const pages = [["one"], ["one", "two"], []];
    const answerNotes: FakeApi["onSearch"] = async (query) => {
      const page = Number(query.get("cursor") ?? 0);
      const nextCursor = page + 1 < pages.length ? String(page + 1) : null;
      return { hits: [], searched: ALL, total: ALL, notes: pages[page], nextCursor };
    };
    api.onSearch = answerNotes;
    await engine.search("address", REQUEST);
    expect(last()).toMatchObject({ status: "done", notes: ["one", "two"] });
    answer([]);
    await engine.search("address", { ...REQUEST, q: "other" });
    expect(last()).toMatchObject({ status: "done", notes: [] });
    pages.splice(0, pages.length, ...Array.from({ length: 30 }, (_, page) => names(page * 20, 20)));
    api.onSearch = answerNotes;
    await engine.search("address", REQUEST);
    expect(last().notes).toEqual(names(0, MOST_NOTES));
  });

  it("groups hits by session, whatever answer they come in, with counts and titles", async () => {
    api.change(
      "sessions",
      sessionItem("one", { title: "First", directory: "/home/ada/shop" }),
      sessionItem("two"),
    );
    answer([hit("one", 3)], [hit("one", 5), hit("two", 1)]);
    await engine.search("address", REQUEST);
    expect(last()).toMatchObject({ hits: 3, sessions: 2, lines: 5, status: "done" });
    expect(named(engine.searchLines("address", 0, 9))).toEqual(["one 2", 3, 5, "two 1", 1]);
    await vi.waitFor(() => expect(last().first[0]).toMatchObject({ title: "First" }));
    expect(last().first[0]).toMatchObject({ tenant: { name: "shop", full: "/home/ada/shop" } });
    expect(last().first[3]).toMatchObject({ title: undefined, tenant: { name: "t", full: "t" } });
  });

  it("stops at a thousand hits, and goes on when it is told to", async () => {
    answer(...Array.from({ length: 12 }, () => hits("one", 100)));
    await engine.search("address", REQUEST);
    expect(last()).toMatchObject({ status: "paused", hits: 1000 });
    expect(queries).toHaveLength(10);
    await engine.searchOn("address");
    expect(last()).toMatchObject({ status: "done", hits: 1200 });
  });

  it("ends the one before, whose answer is not taken any more", async () => {
    let signalled = () => {};
    const requested = new Promise<void>((resolve) => {
      signalled = resolve;
    });
    api.onSearch = (query) => {
      if (query.get("q") === "needle") {
        signalled();
        return new Promise(() => undefined);
      }
      return Promise.resolve({ hits: [hit("two", 1)], nextCursor: null });
    };
    const before = engine.search("address", REQUEST);
    await requested;
    await engine.search("address", { ...REQUEST, q: "other" });
    await before;
    expect(last()).toMatchObject({ status: "done", hits: 1, request: { q: "other" } });
    expect(states.filter(({ status }) => status === "failed")).toEqual([]);
  });

  it("is not asked again for the same request, and forgets all for none", async () => {
    answer([hit("one", 3)]);
    await engine.search("address", REQUEST);
    const { version } = last();
    await engine.search("address", { ...REQUEST });
    expect(queries).toHaveLength(1);
    expect(last().version).toBe(version);
    await engine.search("address", undefined);
    expect(last()).toMatchObject({ request: undefined, lines: 0, hits: 0 });
  });

  it("keeps what it has when the service fails, and tries again from there", async () => {
    answer([hit("one", 3)], [hit("one", 5)]);
    const works = api.onSearch!;
    const problem = { type: "about:blank", title: "T", status: 400, detail: "What to do." };
    const failed = Response.json(problem, {
      status: 400,
      headers: { "content-type": "application/problem+json" },
    });
    api.onSearch = (query) => (query.has("cursor") ? Promise.resolve(failed) : works(query));
    await engine.search("address", REQUEST);
    expect(last()).toMatchObject({
      status: "failed",
      hits: 1,
      problem: { status: 400, detail: "What to do." },
    });
    api.onSearch = works;
    await engine.searchOn("address");
    expect(last()).toMatchObject({ status: "done", hits: 2, problem: undefined });
  });

  it("fails where the answer is none of a search", async () => {
    api.onSearch = async () => ({ sessions: [] });
    await engine.search("address", REQUEST);
    expect(last()).toMatchObject({ status: "failed", problem: { kind: "broken" } });
  });
});

describe("going through hits", () => {
  const nowhere = { tenantId: "", sessionId: "", key: undefined };
  const at = (sessionId: string, sequence?: number) => ({
    tenantId: "t",
    sessionId,
    key: sequence === undefined ? undefined : `${sequence}.output`,
  });
  const next = (place: Parameters<EngineMethods["searchNext"]>[0], step: 1 | -1) => {
    const next = engine.searchNext(place, step);
    return next && `${next.sessionId} ${next.sequence}`;
  };

  it("goes from session to session, and around", async () => {
    answer([hit("one", 3), hit("one", 5), hit("two", 1)]);
    await engine.search("address", REQUEST);
    expect(next(nowhere, 1)).toBe("one 3");
    expect(next(at("one", 3), 1)).toBe("one 5");
    expect(next(at("one", 5), 1)).toBe("two 1");
    expect(next(at("two", 1), 1)).toBe("one 3");
    expect(next(at("one", 3), -1)).toBe("two 1");
    expect(engine.searchOrdinal(at("two", 1))).toBe(3);
    expect(engine.searchOrdinal(at("two", 2))).toBe(0);
  });

  it("begins with the hits of the session that is open", async () => {
    answer([hit("one", 3), hit("two", 1), hit("two", 2)]);
    await engine.search("address", REQUEST);
    expect(next(at("two"), 1)).toBe("two 1");
    expect(next(at("two"), -1)).toBe("two 2");
    expect(next(at("three"), 1)).toBe("one 3");
  });

  it("waits behind the last hit while there may be more, and has a search that stopped go on", async () => {
    answer(...Array.from({ length: 11 }, (_, page) => hits(`s${page}`, 100)));
    await engine.search("address", REQUEST);
    expect(next(at("s9", 99), 1)).toBeUndefined();
    await vi.waitFor(() => expect(last().status).toBe("done"));
    expect(next(at("s9", 99), 1)).toBe("s10 0");
  });
});
