import { expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../../src/application/ports/record-search.js";
import { SearchSessions } from "../../src/application/questions/search-sessions.js";
import { CONTENT_KINDS, parseSearchQuery, type SearchQuery } from "../../src/domain/search/search-query.js";
import { type ContractSession, envelopeText, NOON } from "./fixture.js";
import { type NaiveRecord, naiveRecords, naiveSearch, placesOf } from "./naive-search.js";
import { type ContractSuite, needed } from "./suite.js";

export function describeRecordSearch({ open, part }: ContractSuite): void {
  part("record search", () => {
    it("finds what looking at every string of every record finds", { timeout: 120_000 }, async () => {
      const { source } = await open(...SESSIONS);
      const records = await naiveRecords(source);
      for (const query of QUERIES) {
        const expected = naiveSearch(records, query);
        expect([query, (await placesOf(source, query)).sort()]).toEqual([query, expected.sort()]);
      }
    });

    it("finds each hit once, in the same order, when it is broken off and goes on again and again", {
      timeout: 120_000,
    }, async () => {
      const { source } = await open(...SESSIONS);
      for (const query of QUERIES.slice(0, 4)) {
        const expected = await placesOf(source, query);
        expect(await placesOf(source, query, { budgetMs: 0 })).toEqual(expected);
        expect(await placesOf(source, query, { limit: 1 })).toEqual(expected);
      }
    });

    it("names, asked for sessions, every session in which a search of records finds a text, once", {
      timeout: 120_000,
    }, async () => {
      const { source } = await open(...SESSIONS);
      for (const query of QUERIES.slice(0, 12)) {
        const search = new SearchSessions(source);
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const answer = await search.execute({ query, kinds: CONTENT_KINDS, limit: 2, cursor });
          found.push(...answer.sessions.map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`));
          cursor = answer.nextCursor ?? undefined;
        } while (cursor !== undefined);
        const places = await placesOf(source, query);
        const holding = new Set(places.map((place) => place.split(" ")[0]!));
        expect([query, found.sort()]).toEqual([query, [...new Set(found)]]);
        expect([query, found]).toEqual([query, expect.arrayContaining([...holding])]);
      }
    });
  });

  part("candidates", () => {
    it("are all sessions that hold the text, however the answer is cut", {
      timeout: 120_000,
    }, async (test) => {
      const { source } = await open(...SESSIONS);
      needed(test, "searchRecords", source.searchRecords);
      const records = await naiveRecords(source);
      for (const query of QUERIES) {
        const holding = sessionsOf(records, query);
        for (const cut of [{ limit: 100 }, { limit: 1 }, { limit: 100, budgetMs: 0 }]) {
          const named = await candidatesOf(source, { query, budgetMs: 60_000, ...cut });
          expect(new Set(named).size).toBe(named.length);
          expect([query, cut, named]).toEqual([query, cut, expect.arrayContaining(holding)]);
        }
      }
    });

    it("are of the tenants and the session that are asked for", async (test) => {
      const { source } = await open(...SESSIONS);
      needed(test, "searchRecords", source.searchRecords);
      const search = { query: EVERYWHERE, limit: 100, budgetMs: 60_000 };
      const named = async (narrowed: Partial<RecordSearch>) => {
        const found = await candidatesOf(source, { ...search, ...narrowed });
        return found.filter((session) => session !== "globex/empty").sort(); // it may be named or not
      };
      expect(await named({})).toEqual(["acme/s1", "acme/s2", "globex/s1"]);
      expect(await named({ tenantId: "acme" })).toEqual(["acme/s1", "acme/s2"]);
      expect(await named({ tenants: ["globex", "nobody"] })).toEqual(["globex/s1"]);
      expect(await named({ tenants: [] })).toEqual([]);
      expect(await named({ tenantId: "acme", sessionId: "s1" })).toEqual(["acme/s1"]);
      expect(await named({ tenantId: "nobody" })).toEqual([]);
    });

    it("are counted: before each candidate and in all, and all at the end", async (test) => {
      const { source } = await open(...SESSIONS);
      needed(test, "searchRecords", source.searchRecords);
      const pages = await pagesOf(source, { query: EVERYWHERE, limit: 1, budgetMs: 60_000 });
      const { searched, total } = pages.at(-1)!;
      expect(searched).toEqual(total);
      const known = needed(test, "count of sessions", total.sessions);
      expect(known).toBe(SESSIONS.length);
      const before = pages.flatMap(({ candidates }) =>
        candidates.map((candidate) => candidate.before.sessions!),
      );
      expect(before).toEqual([...before].sort((a, b) => a - b));
      expect(before.every((count) => count < known)).toBe(true);
    });
  });
}

async function pagesOf(source: InspectorDataSource, search: RecordSearch): Promise<RecordSearchPage[]> {
  const pages: RecordSearchPage[] = [];
  for (let after: string | undefined; ; ) {
    const page = (await source.searchRecords?.({ ...search, after }))!;
    expect(page.candidates.length).toBeLessThanOrEqual(search.limit);
    pages.push(page);
    if (page.next === undefined) return pages;
    if (pages.length > 100) throw new Error("searchRecords does not come to an end.");
    // A candidate's place is a cursor, like the last `next` of a page.
    after = page.next;
  }
}

async function candidatesOf(source: InspectorDataSource, search: RecordSearch): Promise<string[]> {
  const pages = await pagesOf(source, search);
  return pages.flatMap(({ candidates }) => candidates.map((found) => `${found.tenantId}/${found.sessionId}`));
}

function sessionsOf(records: readonly NaiveRecord[], query: SearchQuery): string[] {
  return [...new Set(naiveSearch(records, query).map((place) => place.split(" ")[0]!))];
}

const LONG = "x".repeat(70_000);

/** Escapes every character, as Python, Go and PHP may. */
function escaped(text: string): string {
  return [...text]
    .map((character) => {
      const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
      return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
    })
    .join("");
}

const said = (text: string) => `{"role":"user","content":[{"type":"text","text":"${text}"}]}`;

/** Texts in every list and every escape, and across the borders of chunks. */
const SESSIONS: readonly ContractSession[] = [
  {
    tenantId: "acme",
    sessionId: "s1",
    userId: "ada",
    createdAt: NOON,
    envelopes: [
      envelopeText(0, { type: "turn.start", turnIndex: 0, input: "Where is the router? everywhere" }),
      envelopeText(1, {
        type: "tool.start",
        toolCallId: "c1",
        toolName: "Read",
        input: { path: "lib\\router.ex" },
      }),
      envelopeText(2, {
        type: "tool.end",
        toolCallId: "c1",
        toolName: "Read",
        output: `${LONG}Router\n"quoted"`,
      }),
      envelopeText(3, {
        type: "text",
        text: "aaaa Straße İstanbul ſ K 日本語 \u{1F99C}\u{1F99C} everywhere",
      }),
      envelopeText(4, { type: "acme.custom", note: "a\tb", deep: [{ deeper: ["nested router"] }] }),
    ],
    orchestrationEvents: [
      JSON.stringify({ eventId: "e1", type: "agent_spawned", agent: { id: "a1", role: "router" } }),
      JSON.stringify({
        eventId: "e2",
        type: "agent_job_completed",
        agentId: "a1",
        job: { outputText: "everywhere" },
      }),
    ],
    messages: [
      said(escaped("Router “quoted” 日本語 \u{1F99C}")),
      said('a \\u003cb\\u003e \\/path\\/router.ex \\"q\\" everywhere'),
    ],
  },
  {
    tenantId: "acme",
    sessionId: "s2",
    userId: "ada",
    createdAt: NOON + 1_000,
    messages: Array.from({ length: 6 }, (_, i) =>
      said(`${i} ${LONG.slice(i)} everywhere ${i % 4 === 0 ? "router" : ""}`),
    ),
  },
  {
    tenantId: "globex",
    sessionId: "s1",
    userId: "ben",
    createdAt: NOON + 2_000,
    // Two traces, each with its own sequences.
    envelopes: [0, 1, 2, 3, 4, 5].map((second) =>
      envelopeText(
        Math.floor(second / 2),
        { type: "text", text: `everywhere ${second} <b> /path/` },
        {
          traceId: `t${second % 2}`,
          tenantId: "globex",
          second,
        },
      ),
    ),
    messages: [said("everywhere")],
  },
  { tenantId: "globex", sessionId: "empty", userId: "ben", createdAt: NOON + 3_000 },
];

const EVERYWHERE: SearchQuery = { kind: "text", text: "everywhere", isExact: false };

const QUERIES: readonly SearchQuery[] = [
  EVERYWHERE,
  ...[
    "router",
    "x",
    '"router"',
    "Router",
    "lib\\router",
    '"',
    "\n",
    'quoted"',
    "“quoted”",
    "日本",
    "\u{1F99C}",
  ],
  ...[
    "\u{1F99C}\u{1F99C}",
    "straße",
    "STRASSE",
    "i̇",
    "ſ",
    "s",
    "k",
    "K",
    "aa",
    "<b>",
    "/path/",
    "\t",
    "a\tb",
  ],
  ..."\\ nowhere-at-all \\u xRouter xxx\\u005c u003c re:rout[a-z]+ re:x{10}R re:[日本]+".split(" "),
].flatMap((typed) => (typeof typed === "string" ? (parseSearchQuery(typed) ?? []) : [typed]));
