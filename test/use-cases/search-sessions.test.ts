import { describe, expect, it } from "vitest";
import {
  createInMemoryInspectorDataSource,
  type InMemorySession,
  parseSearchQuery,
  SearchRecords,
  type SearchRecordsOptions,
  SearchSessions,
  type SessionSearchRequest,
  SourceUnavailableError,
} from "../../src/advanced.js";
import type { InspectorDataSource, RecordSearchPage } from "../../src/index.js";
import { envelope } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const asking = (typed: string, more: Partial<SessionSearchRequest> = {}): SessionSearchRequest => ({
  query: parseSearchQuery(typed)!,
  kinds: ["text", "input", "output"],
  limit: 100,
  ...more,
});

const said = (text: string, sequence = 0) => envelope(sequence, { event: { type: "text", text } });
const noted = (path: string, sequence = 0) => envelope(sequence, { event: { type: "acme.note", path } });

const session = (sessionId: string, createdAt: number, more: Partial<InMemorySession>): InMemorySession => ({
  tenantId: "acme",
  sessionId,
  createdAt,
  ...more,
});

const SESSIONS: readonly InMemorySession[] = [
  session("old", 1_000, { title: "Long ago", envelopes: [said("a needle"), said("no", 1)] }),
  session("foreign", 2_000, { tenantId: "beta", envelopes: [said("needle of beta")] }),
  session("without", 3_000, { envelopes: [said("nothing"), noted("needle", 1)] }),
  session("often", 4_000, {
    envelopes: Array.from({ length: 5 }, (_, i) => said(`needle needle ${i}`, i)),
    messages: [{ role: "user", content: "one more needle" }],
  }),
];

/** The default clock stands still: an answer ends when it is full or all is searched. */
function searchOf(source: InspectorDataSource, options: SearchRecordsOptions = {}): SearchSessions {
  return new SearchSessions(source, undefined, { now: () => 0, ...options });
}

async function follow(search: SearchSessions, request: SessionSearchRequest) {
  const answers = [await search.execute(request)];
  for (let cursor = answers[0]!.nextCursor; cursor !== null; cursor = answers.at(-1)!.nextCursor) {
    if (answers.length === 100) throw new Error("The search does not come to an end.");
    answers.push(await search.execute({ ...request, cursor }));
  }
  return answers.flatMap(({ sessions }) => sessions);
}

const idsOf = (found: readonly { readonly sessionId: string }[]) => found.map(({ sessionId }) => sessionId);

describe.each(SOURCES)("A search of the sessions of %s", (_, create) => {
  it("finds each session that holds the text, and no other one, however its answers are cut", async () => {
    const source = await create(SESSIONS);
    for (const options of [{}, { budgetMs: 0 }]) {
      for (const limit of [100, 1]) {
        const found = await follow(searchOf(source, options), asking("needle", { limit }));
        expect(
          idsOf(found)
            .filter((id) => id !== "without")
            .sort(),
        ).toEqual(["foreign", "often", "old"]);
      }
    }
    const found = await follow(searchOf(source), asking("needle"));
    const named = (id: string) => found.find(({ sessionId }) => sessionId === id);
    expect(named("old")).toMatchObject({
      title: "Long ago",
      lastActive: expect.any(String),
      count: 1,
      countIs: "exact",
      byKind: { text: 1 },
      hits: [{ in: "text", sequence: 0, snippet: { text: "a needle" } }],
    });
    expect(named("often")).toMatchObject({ count: 6, hits: [{}, {}, {}] });
  });

  it("is held to the scope, and goes on with no cursor into another", async () => {
    const source = await create(SESSIONS);
    const request = asking("needle", { tenants: ["beta"] });
    expect(idsOf(await follow(searchOf(source, { budgetMs: 0 }), request))).toEqual(["foreign"]);
    expect(await follow(searchOf(source), asking("needle", { tenants: [] }))).toEqual([]);
    const stopped = await searchOf(source).execute(asking("needle", { limit: 1 }));
    const cursor = stopped.nextCursor ?? undefined;
    expect(idsOf((await searchOf(source).execute({ ...request, cursor })).sessions)).toEqual(["foreign"]);
  });
});

describe("A search of sessions", () => {
  const memory = createInMemoryInspectorDataSource(SESSIONS);
  const counting = (matches: number | undefined, bytes: number, more: Partial<InspectorDataSource> = {}) => ({
    ...memory,
    async searchRecords(): Promise<RecordSearchPage> {
      const ids = ["often", "without", "old"];
      const before = { sessions: 0 };
      const candidates = ids.map((sessionId, i) => ({
        ...{ tenantId: "acme", sessionId, place: String(i), before, matches, bytes },
      }));
      return { candidates, next: undefined, searched: { sessions: 3 }, total: { sessions: 3 } };
    },
    ...more,
  });

  it("shows a session that is too long to be read by the count of its lines", async () => {
    const found = await follow(searchOf(counting(42, 50e6)), asking("needle"));
    expect(found.map(({ sessionId, count, countIs, hits }) => [sessionId, count, countIs, hits])).toEqual([
      ["often", 42, "about", []],
      ["without", 42, "about", []],
      ["old", 42, "about", []],
    ]);
  });

  it("leaves out what was read and holds the text in other kinds alone", async () => {
    const found = await follow(searchOf(counting(42, 1_000)), asking("needle"));
    expect(found.map(({ sessionId, count, countIs }) => [sessionId, count, countIs])).toEqual([
      ["often", 42, "about"],
      ["old", 1, "exact"],
    ]);
  });

  it("counts what it has read where the source does not count, and says that there may be more", async () => {
    let now = 0;
    const long = Array.from({ length: 3_000 }, (_, i) => said(`needle ${"x".repeat(2_000)}`, i));
    const source = createInMemoryInspectorDataSource([session("long", 1, { envelopes: long })]);
    const search = searchOf(source, { budgetMs: 300, now: () => (now += 20) });
    const [found, ...others] = await follow(search, asking("needle"));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ countIs: "least", hits: [{}, {}, {}] });
    expect(found!.count).toBeGreaterThan(3);
    expect(found!.count).toBeLessThan(3_000);
  });

  it("leaves out a session that cannot be read, and says so", async () => {
    const source = counting(1, 10, {
      openSession: async (...of) => {
        if (of[1] === "often") throw new SourceUnavailableError("The disk is gone.");
        return memory.openSession!(...of);
      },
    });
    const answer = await searchOf(source).execute(asking("needle"));
    expect(idsOf(answer.sessions)).toEqual(["old"]);
    expect(answer.notes).toEqual([
      expect.stringContaining('"often" of tenant "acme" cannot be read just now'),
    ]);
  });

  it("is of the sessions that a filter means, as a search of records is", async () => {
    const request = asking("needle", { filter: "title:ago", zone: "Europe/Berlin" });
    expect(idsOf(await follow(searchOf(memory, { budgetMs: 0 }), request))).toEqual(["old"]);
    const records = await new SearchRecords(memory, undefined, { now: () => 0 }).execute(request);
    expect(idsOf(records.hits)).toEqual(["old"]);
    await expect(searchOf(memory).execute(asking("needle", { filter: "titel:ago" }))).rejects.toThrow(
      /^filter is wrong at character 1/,
    );
  });

  it("waits, answer by answer, for sessions that are not read yet, before it leaves any out", async () => {
    let reads = 0;
    const source: InspectorDataSource = {
      ...memory,
      async findSessions() {
        const items = (await memory.listSessions()).reverse();
        return ++reads < 3 ? { items: [], total: 4, unread: 4 } : { items, total: 4, unread: 0 };
      },
      concurrentReads: Number.POSITIVE_INFINITY,
    };
    const search = searchOf(source);
    const request = asking("needle", { filter: "title:ago" });
    const first = await search.execute(request);
    expect([first.sessions, typeof first.nextCursor]).toEqual([[], "string"]);
    expect(idsOf(await follow(search, request))).toEqual(["old"]);
  });

  it("refuses the cursor of a search of records", async () => {
    const records = new SearchRecords(memory, undefined, { budgetMs: 0, now: () => 0 });
    const cursor = (await records.execute(asking("needle", { limit: 1 }))).nextCursor!;
    await expect(searchOf(memory).execute(asking("needle", { cursor }))).rejects.toThrow("was not issued");
  });
});
