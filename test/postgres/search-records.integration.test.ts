import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "../../src/adapters/postgres/database.js";
import { findIndexed } from "../../src/adapters/postgres/indexed-sessions.js";
import { storedForms } from "../../src/adapters/postgres/stored-forms.js";
import { InvalidRequestError } from "../../src/application/errors.js";
import type { RecordSearch } from "../../src/application/ports/record-search.js";
import { parseSearchQuery, type SearchQuery } from "../../src/domain/search/search-query.js";
import type { InspectorDataSource } from "../../src/index.js";
import { createPostgresDataSource, migratePostgres } from "../../src/postgres.js";
import { useDatabase } from "../support/postgres-database.js";
import { holding, needles, queriesFor, storedSessions, type Written } from "../support/searched-texts.js";
import { runs } from "../support/soak.js";
import { type StoredTexts, storing } from "../support/stored-texts.js";

const database = useDatabase();

let source: InspectorDataSource;
let tables: Database;
beforeAll(() => {
  const { connectionString } = database;
  source = createPostgresDataSource({ connectionString });
  tables = new Database({ connectionString });
});
afterAll(async () => {
  await source.close?.();
  await tables.close();
});

const PATIENT = { limit: 1_000, budgetMs: 30_000 };

const search = (typed: string, options: Partial<RecordSearch> = {}) =>
  source.searchRecords!({ query: parseSearchQuery(typed)!, ...PATIENT, ...options });

async function candidatesOf(typed: string, options: Partial<RecordSearch> = {}): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await search(typed, { ...options, after });
    found.push(...page.candidates.map(({ sessionId }) => sessionId));
    if (page.next === undefined) return found;
    expect(page.next).not.toBe(after);
    after = page.next;
  }
}

/** From the index alone, without the sessions that a search reads first. */
async function indexedOf(query: SearchQuery): Promise<string[]> {
  const { regex, like } = storedForms(query);
  if (like === undefined) throw new Error("The index is of no help.");
  const places = await findIndexed(tables, { query, ...PATIENT }, { regex, like }, undefined, 1_000, 30_000);
  return places!.map(({ sessionId }) => sessionId);
}

async function storeAll(written: Written): Promise<void> {
  await database.empty();
  const stored = written.map(
    (records, at): StoredTexts => ({
      sessionId: `s${at}`,
      at,
      records: records.map(({ table, text }) => ({ table, record: `{"t": ${text.json}}` })),
    }),
  );
  await database.run(storing(stored));
}

/** Compares each query's result on random sessions with the definition. */
async function compare(
  find: (query: SearchQuery) => Promise<readonly string[]>,
  numRuns: number,
): Promise<void> {
  let [named, right] = [0, 0];
  await fc.assert(
    fc.asyncProperty(storedSessions, needles, async (written, wanted) => {
      await storeAll(written);
      for (const query of queriesFor(written, wanted)) {
        const found = await find(query);
        const expected = holding(written, query);
        expect(found, JSON.stringify(query)).toEqual(expect.arrayContaining(expected));
        named += found.length;
        right += expected.length;
      }
    }),
    { numRuns: runs(numRuns) },
  );
  expect(right).toBeGreaterThan(runs(numRuns));
  expect(right / named).toBeGreaterThan(0.7);
}

const said = (text: string) => JSON.stringify({ text });

describe("A search in PostgreSQL", () => {
  it("names every session that holds a text, however it is spelled in JSON, and few others", async () => {
    await compare(async (query) => {
      const { candidates } = await source.searchRecords!({ query, ...PATIENT });
      return candidates.map(({ sessionId }) => sessionId);
    }, 50);
  }, 120_000);

  it("goes on from each place, newest first, and says how far it has come", async () => {
    const stored = Array.from({ length: 12 }, (_, at) => ({
      sessionId: `s${at}`,
      at: at >> 1,
      records: [said(at % 3 === 0 ? "router" : "nothing")],
    }));
    await database.run(storing(stored));
    const order = ["s9", "s6", "s3", "s0"];
    for (const limit of [1, 3, 100]) {
      // Without time, an unread session is a candidate, too.
      expect(await candidatesOf("router", { limit, budgetMs: 0 })).toEqual(expect.arrayContaining(order));
      expect(await candidatesOf("router", { limit })).toEqual(order);
    }
    const page = await search("router", { limit: 3 });
    expect(page.candidates.map(({ before }) => before.sessions)).toEqual([3, 4, 9]);
    expect(page).toMatchObject({ searched: { sessions: 10 }, total: { sessions: 12 } });
    const behind = await search("router", { after: page.candidates[1]!.place });
    expect(behind.candidates.map(({ sessionId, before }) => [sessionId, before.sessions])).toEqual([
      ["s3", 9],
      ["s0", 10],
    ]);
    expect(behind).toMatchObject({ searched: { sessions: 12 }, total: { sessions: 12 } });
    expect(behind.next).toBeUndefined();
  });

  it("searches what a trace and a conversation are made of, and no other sessions than those it is asked for", async () => {
    const records = (table: string) => [{ table, record: said("router") }];
    await database.run(
      storing([
        { tenantId: "acme", sessionId: "a", at: 3, records: records("messages") },
        { tenantId: "globex", sessionId: "a", at: 2, records: records("orchestration_events") },
        { tenantId: "initech", sessionId: "b", at: 1, records: records("trace_envelopes") },
        { tenantId: "acme", sessionId: "c", at: 0, records: records("session_log") },
      ]),
    );
    const found = async (options: Partial<RecordSearch>) => {
      const { candidates, total } = await search("router", options);
      return [candidates.map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`), total.sessions];
    };
    expect(await found({})).toEqual([["acme/a", "globex/a", "initech/b"], 4]);
    expect(await found({ tenantId: "acme" })).toEqual([["acme/a"], 2]);
    expect(await found({ tenants: ["initech", "globex", "initech"] })).toEqual([
      ["globex/a", "initech/b"],
      2,
    ]);
    expect(await found({ tenants: ["initech"], tenantId: "acme" })).toEqual([[], 0]);
    expect(await found({ tenants: [] })).toEqual([[], 0]);
    expect(await found({ tenantId: "globex", sessionId: "a" })).toEqual([["globex/a"], 1]);
    expect(await found({ tenantId: "acme", sessionId: "nobody" })).toEqual([[], 0]);
  });

  it("takes signs of SQL, of patterns and of expressions as they stand, and finds what PostgreSQL cannot store", async () => {
    const texts = ["100%", "a_b", "it's", "c:\\dir", "(x|y)*", "$1", "nul\0nul", "\ud83d", "*** [a]", "?:"];
    await database.run(
      storing(texts.map((text, at) => ({ sessionId: `s${at}`, at, records: [said(text)] }))),
    );
    for (const [at, text] of texts.entries())
      expect(await candidatesOf(`"${text}"`), text).toEqual([`s${at}`]);
    for (const absent of ["%", "_", "\\\\", "'", ".*", "\0\0", "[^a]"]) {
      const holding = texts.flatMap((text, at) => (text.includes(absent) ? [`s${at}`] : []));
      expect((await candidatesOf(absent)).toSorted(), absent).toEqual(holding);
    }
    expect(await candidatesOf("x".repeat(100_000))).toEqual([]);
  });

  it("names a session with bytes that are no text, and one that takes longer to look through than there is time", async () => {
    const long = Array.from({ length: 4 }, () => said("ab".repeat(500_000)));
    await database.run(
      storing([
        { sessionId: "long", at: 1, records: long },
        { sessionId: "bytes", at: 0, records: [{ table: "messages", raw: "22ff22" }] },
      ]),
    );
    expect(await candidatesOf("router")).toEqual(["bytes"]);
    expect(await candidatesOf("router", { budgetMs: 1 })).toEqual(["long", "bytes"]);
  });

  it("names every session for a regular expression, and says that no index helps", async () => {
    await database.run(
      storing([
        { sessionId: "a", at: 1, records: [] },
        { sessionId: "b", records: [] },
      ]),
    );
    const page = await search("re:rou(t|d)er");
    expect(page.candidates.map(({ sessionId }) => sessionId)).toEqual(["a", "b"]);
    expect(page.notes).toEqual(["No index helps with a regular expression: every session is read."]);
    expect((await search("router")).notes).toEqual([
      expect.stringContaining("agent-inspector migrate --search-index"),
    ]);
  });

  it("refuses a place that it did not give", async () => {
    for (const after of ["", "x", "{}", '[1,"2","3"]', '["1","2","3","4"]', "null"]) {
      await expect(search("router", { after })).rejects.toThrow(InvalidRequestError);
    }
  });
});

describe("The index of texts", () => {
  beforeAll(async () => {
    const report = await migratePostgres({ connectionString: database.connectionString, searchIndex: true });
    expect(report.searchIndex).toEqual({ isThere: true });
  });

  it("names every session that holds a text, however it is spelled in JSON, and few others", async () => {
    await compare(async (query) => {
      if (storedForms(query).like !== undefined) return indexedOf(query);
      const page = await source.searchRecords!({ query, ...PATIENT });
      expect(page.notes).toEqual([expect.stringContaining("No index helps")]);
      return page.candidates.map(({ sessionId }) => sessionId);
    }, 50);
  }, 120_000);

  it("names the sessions behind those that were looked through, in order, with their places", async () => {
    const stored = Array.from({ length: 600 }, (_, at) => ({
      sessionId: `s${at}`,
      tenantId: `t${at % 7}`,
      at: 999 - at,
      records: [said(at % 50 === 3 ? "router" : "nothing")],
    }));
    await database.run(storing(stored));
    const isHolding = ({ records }: (typeof stored)[number]) => records[0] === said("router");
    for (const tenants of [undefined, ["t3", "t4", "t6"], ["t4"]]) {
      const inScope = stored.filter(({ tenantId }) => tenants?.includes(tenantId) ?? true);
      const holding = inScope.filter(isHolding).map(({ sessionId }) => sessionId);
      expect(await candidatesOf("router", { tenants, limit: 1 })).toEqual(holding);
      const page = await search("router", { tenants });
      expect(page.candidates.map(({ sessionId }) => sessionId)).toEqual(holding);
      for (const { sessionId, before } of page.candidates) {
        expect(inScope[before.sessions!]?.sessionId).toBe(sessionId);
      }
      expect(page.searched).toEqual({ sessions: inScope.length });
      const part = await search("router", { tenants, limit: holding.length - 1 });
      expect(part.searched.sessions).toBe(page.candidates.at(-2)!.before.sessions! + 1);
      expect(part.total).toEqual({ sessions: inScope.length });
    }
  });
});
