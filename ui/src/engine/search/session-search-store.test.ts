import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { BASE, FakeApi, sessionItem } from "../../../test/support/fake-api.js";
import type { PageSearch } from "../../model/search/search.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import type { SearchState } from "./search-protocol.js";

const REQUEST: PageSearch = { q: "needle", kinds: [], tenantId: "", sessionId: "" };

let api: FakeApi;
let engine: EngineMethods;
let states: SearchState[];
let queries: URLSearchParams[];

beforeEach(() => {
  api = new FakeApi();
  states = [];
  queries = [];
  engine = engineMethods(BASE, (update) => {
    if (update.topic === "search" && update.name === "sessions") states.push(update.state);
  });
});

const last = () => states.at(-1)!;

function hit(sessionId: string, sequence: number): SearchHit {
  const snippet = { text: `a needle ${sequence}`, start: 2, end: 8 };
  return { tenantId: "t", sessionId, in: "output", sequence, matches: 1, snippet };
}

const session = (sessionId: string, count: number, ...hits: SearchHit[]) => ({
  tenantId: "t",
  sessionId,
  count,
  countIs: hits.length === count ? "exact" : "about",
  hits,
});

/** Answers with these, one after another; the last of them has no cursor. */
function answer(...pages: readonly (readonly object[])[]): void {
  api.onSearchSessions = async (query) => {
    queries.push(query);
    const page = Number(query.get("cursor") ?? 0);
    const searched = { sessions: page + 1, bytes: (page + 1) * 100 };
    const nextCursor = page + 1 < pages.length ? String(page + 1) : null;
    return { sessions: pages[page], searched, total: { sessions: 4, bytes: 400 }, nextCursor };
  };
}

const lines = () =>
  engine.searchLines("sessions", 0, 99).map((line) => {
    if (line.type === "hit") return line.hit.sequence;
    return line.type === "session" ? `${line.sessionId} ${line.countIs} ${line.hits}` : line.type;
  });

describe("a search of all sessions", () => {
  it("follows the cursor to the end, the first answer a small one, and adds counts up", async () => {
    api.change("sessions", sessionItem("one", { title: "First" }));
    answer([session("one", 1, hit("one", 3))], [], [session("two", 70, hit("two", 1), hit("two", 5))]);
    await engine.search("sessions", { ...REQUEST, kinds: ["text", "error"], tenantId: "a b" });
    expect(last()).toMatchObject({ status: "done", hits: 71, isAbout: true, sessions: 2, lines: 5 });
    expect([...new Set(states.map(({ searched }) => searched.sessions))]).toEqual([0, 1, 2, 3]);
    expect(lines()).toEqual(["one exact 1", 3, "two about 70", 1, 5]);
    expect(Object.fromEntries(queries[0]!)).toEqual({
      q: "needle",
      tenantId: "a b",
      in: "text,error",
      limit: "20",
    });
    expect(queries.map((query) => query.get("limit"))).toEqual(["20", "500", "500"]);
    await vi.waitFor(() => expect(last().first[0]).toMatchObject({ title: "First" }));
  });

  it("asks for the first hits of sessions on the screen that came without, in lines that they have already", async () => {
    const cursors: (string | null)[] = [];
    api.onSearch = async (query) => {
      cursors.push(query.get("sessionId"));
      const hits = query.get("sessionId") === "one" ? [hit("one", 1), hit("one", 2), hit("one", 4)] : [];
      return { hits, nextCursor: null };
    };
    answer([session("one", 9), session("two", 2)]);
    await engine.search("sessions", REQUEST);
    expect(last()).toMatchObject({ lines: 7 });
    expect(lines().slice(0, 5)).toEqual(["one about 9", "pending", "pending", "pending", "two about 2"]);
    await vi.waitFor(() => expect(lines()).toEqual(["one about 9", 1, 2, 4, "two about 2", "none"]));
    expect(cursors).toEqual(["one", "two"]);
  });

  it("goes through the hits that are shown, and around", async () => {
    answer([session("one", 2, hit("one", 3), hit("one", 5)), session("two", 1, hit("two", 1))]);
    await engine.search("sessions", REQUEST);
    const next = (sessionId: string, key: string | undefined, step: 1 | -1) =>
      engine.searchNext({ tenantId: "t", sessionId, key }, step, "sessions");
    expect(next("", undefined, 1)).toMatchObject({ sessionId: "one", sequence: 3 });
    expect(next("one", "5.output", 1)).toMatchObject({ sessionId: "two", sequence: 1 });
    expect(next("two", "1.output", 1)).toMatchObject({ sessionId: "one", sequence: 3 });
    expect(next("one", "3.output", -1)).toMatchObject({ sessionId: "two", sequence: 1 });
  });
});
