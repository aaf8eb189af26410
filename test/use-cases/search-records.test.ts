import { describe, expect, it } from "vitest";
import {
  createInMemoryInspectorDataSource,
  type InMemorySession,
  parseSearchQuery,
  type ReadingPool,
  SearchRecords,
  type SearchRecordsOptions,
  type SearchRequest,
  SourceChangedError,
  SourceUnavailableError,
  scopeToTenants,
  streamOf,
} from "../../src/advanced.js";
import { encodeCursor } from "../../src/application/listing/window.js";
import type { ReadingTask, RunOptions } from "../../src/application/ports/reading-pool.js";
import type { SearchAnswer } from "../../src/application/search/search-answer.js";
import { SEARCH_BATCH, type SearchBatch, searchBatchFor } from "../../src/application/search/search-batch.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { runInSlices } from "../../src/application/threads/slices.js";
import { textFinder } from "../../src/domain/search/text-matches.js";
import { keysOfEnvelopes } from "../../src/domain/trace/trace-sequence-merge.js";
import type { InspectorDataSource, RecordSearch, RecordSearchPage } from "../../src/index.js";
import { handMadeSnapshot, handMadeSource, NO_ORCHESTRATION } from "../support/hand-made-source.js";
import { pools } from "../support/pools.js";
import { at, envelope } from "../support/sample.js";
import { fiveMethods, SOURCES } from "../support/sources.js";

const asking = (typed: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  query: parseSearchQuery(typed)!,
  kinds: ["text", "input", "output"],
  limit: 100,
  ...more,
});

const said = (text: string, sequence = 0, more = {}) =>
  envelope(sequence, { event: { type: "text", text }, ...more });

const SESSIONS: readonly InMemorySession[] = ["acme", "beta", "acme"].map((tenantId, i) => ({
  tenantId,
  sessionId: `s${i}`,
  createdAt: i * 1_000,
  messages: [
    { role: "user", content: "nothing" },
    { role: "user", content: `needle of s${i}` },
  ],
}));

/** The default clock stands still: an answer ends when it is full or all is searched. */
function searchOf(
  source: InspectorDataSource,
  pool?: ReadingPool,
  options: SearchRecordsOptions = {},
): SearchRecords {
  return new SearchRecords(source, pool, { now: () => 0, ...options });
}

async function follow(search: SearchRecords, request: SearchRequest) {
  const answers = [await search.execute(request)];
  for (let cursor = answers[0]!.nextCursor; cursor !== null; cursor = answers.at(-1)!.nextCursor) {
    if (answers.length === 100) throw new Error("The search does not come to an end.");
    answers.push(await search.execute({ ...request, cursor }));
  }
  return answers;
}

const sessionsOf = (answers: Awaited<ReturnType<typeof follow>>) =>
  answers.flatMap(({ hits }) => hits.map(({ sessionId }) => sessionId));

describe.each(SOURCES)("A search of %s", (_, create) => {
  it("finds the newest session first, and says how far it is", async () => {
    const search = searchOf(await create(SESSIONS));
    const answer = await search.execute(asking("needle"));
    expect(answer).toEqual({
      hits: ["s2", "s1", "s0"].map((sessionId) => ({
        tenantId: sessionId === "s1" ? "beta" : "acme",
        sessionId,
        in: "text",
        messageIndex: 1,
        role: "user",
        matches: 1,
        snippet: { text: `needle of ${sessionId}`, start: 0, end: 6 },
      })),
      searched: expect.objectContaining({ sessions: 3 }),
      total: expect.objectContaining({ sessions: 3 }),
      nextCursor: null,
    });
  });

  it("ends an answer when its time is over, and goes on behind it", async () => {
    let now = 0;
    const search = searchOf(await create(SESSIONS), undefined, { budgetMs: 5, now: () => now++ });
    const answers = await follow(search, asking("needle"));
    expect(answers.length).toBeGreaterThan(1);
    expect(sessionsOf(answers)).toEqual(["s2", "s1", "s0"]);
    expect(answers.at(-1)?.searched).toMatchObject({ sessions: 3 });
    const again = await follow(search, asking("nowhere-at-all"));
    expect(sessionsOf(again)).toEqual([]);
    expect(again.slice(0, -1).every(({ nextCursor }) => nextCursor !== null)).toBe(true);
  });

  it("gets on by a batch with each answer, whatever the clock says", async () => {
    const search = searchOf(await create(SESSIONS), undefined, { budgetMs: 0 });
    expect(sessionsOf(await follow(search, asking("needle")))).toEqual(["s2", "s1", "s0"]);
  });

  it("holds to the tenants of the scope, and goes on with no cursor into another", async () => {
    const source = await create(SESSIONS);
    const search = searchOf(source, undefined, { budgetMs: 0 });
    expect(sessionsOf(await follow(search, asking("needle", { tenants: ["beta"] })))).toEqual(["s1"]);
    expect(sessionsOf(await follow(search, asking("needle", { tenants: [] })))).toEqual([]);
    const stopped = await searchOf(source).execute(asking("needle", { limit: 1 }));
    const cursor = stopped.nextCursor ?? undefined;
    const rest = await searchOf(source).execute(asking("needle", { cursor, tenants: ["beta"] }));
    expect(sessionsOf([rest])).toEqual(["s1"]);
  });

  it("searches one session without the others", async () => {
    const search = searchOf(await create(SESSIONS), undefined, { budgetMs: 0 });
    const one = { tenantId: "acme", sessionId: "s0" };
    const answers = await follow(search, asking("needle", one));
    expect(sessionsOf(answers)).toEqual(["s0"]);
    expect(answers.at(-1)?.total).toMatchObject({ sessions: 1 });
  });
});

describe("A search", () => {
  const inMemory = (...envelopes: InMemorySession["envelopes"] & object) =>
    createInMemoryInspectorDataSource([{ sessionId: "s1", tenantId: "acme", createdAt: 1, envelopes }]);

  it.each(pools())("numbers envelopes as the trace does, %s", async (_, pool) => {
    const source = inMemory(
      said("needle", 0, { traceId: "t1", timestamp: at(0) }),
      said("needle", 0, { traceId: "t2", timestamp: at(9) }),
      said("no", 1, { traceId: "t1", timestamp: at(3) }),
      said("re: needle", 7, { traceId: "t2", timestamp: at(12) }),
    );
    for (const typed of ["needle", "re:ne+dle"]) {
      const { hits } = await searchOf(source, pool).execute(asking(typed));
      expect(hits.map(({ sequence, timestamp }) => [sequence, timestamp])).toEqual([
        [0, at(0)],
        [2, at(9)],
        [3, at(12)],
      ]);
    }
  });

  it("counts the matches of each kind in a record, and ends an answer between two kinds", async () => {
    const event = {
      type: "tool.start",
      toolName: "Read",
      toolCallId: "c",
      agentId: "a1",
      input: { a: "xx", b: "x" },
      text: "x",
    };
    const search = searchOf(inMemory(envelope(0, { event }), said("x", 1)));
    const request = asking("x", { limit: 1 });
    const answers = await follow(search, request);
    expect(answers.map(({ hits }) => hits.map((hit) => [hit.sequence, hit.in, hit.matches]))).toEqual([
      [[0, "text", 1]],
      [[0, "input", 3]],
      [[1, "text", 1]],
      [],
    ]);
    expect(answers[1]?.hits[0]).toMatchObject({ type: "tool.start", toolName: "Read", agentId: "a1" });
  });

  it("goes on over sessions that no cursor can name, and says so", async () => {
    const odd = ["../../s", "a/b", "x\u0000y"].map((sessionId) => ({
      ...SESSIONS[2]!,
      sessionId,
      createdAt: 5_000,
      messages: Array.from({ length: 5 }, () => ({ role: "user", content: "needle" })),
    }));
    const source = createInMemoryInspectorDataSource([...SESSIONS, ...odd]);
    const answers = await follow(searchOf(source), asking("needle", { limit: 1 }));
    expect(sessionsOf(answers)).toEqual(["s2", "s1", "s0"]);
    expect(answers[0]!.notes).toEqual([expect.stringContaining("are not searched")]);
  });

  it("refuses a pattern that is none or too large, and takes (?i)", async () => {
    const search = searchOf(inMemory(said("NEEDLE")));
    await expect(search.execute(asking("re:(needle"))).rejects.toThrow(/q is no regular expression.*missing/);
    await expect(search.execute(asking("re:(?=needle)"))).rejects.toThrow(/q is no regular expression/);
    await expect(search.execute(asking("re:(x{40}){20}"))).rejects.toThrow(
      "q is too large a regular expression",
    );
    expect((await search.execute(asking("re:(?i)needle"))).hits).toHaveLength(1);
    expect((await search.execute(asking("re:x*"))).hits).toEqual([]);
  });

  it("refuses the cursor of another search, and one that was made up", async () => {
    const source = createInMemoryInspectorDataSource(SESSIONS);
    const search = searchOf(source, undefined, { budgetMs: 0 });
    const cursor = (await search.execute(asking("needle"))).nextCursor ?? undefined;
    for (const other of [asking("needles"), asking('"needle"'), asking("needle", { tenantId: "acme" })]) {
      await expect(search.execute({ ...other, cursor })).rejects.toThrow("cursor was not issued");
    }
    const list = JSON.stringify([
      "search",
      asking("needle").query,
      undefined,
      undefined,
      ["input", "output", "text"],
    ]);
    const within = {
      tenantId: "a",
      sessionId: "../s",
      place: { list: "trace", at: 0, skip: 0 },
      before: {},
      total: {},
    };
    for (const place of ["{]}", '{"after":7}', '{"after":"x"}', JSON.stringify({ within })]) {
      const made = encodeCursor(list, place);
      await expect(search.execute(asking("needle", { cursor: made }))).rejects.toThrow(
        "cursor was not issued",
      );
    }
  });

  it("says which message an envelope shows, where the source knows, and reads no messages then", async () => {
    const envelopes = [said("needle", 0), said("needle", 1), said("no", 2)];
    const source = handMadeSource({
      listSessions: async () => [item("s1")],
      openSession: async () =>
        handMadeSnapshot({
          trace: async () => ({
            ...streamOf(envelopes),
            keys: keysOfEnvelopes(envelopes),
            messagesOf: async (positions) =>
              positions.length === 2 ? Int32Array.of(5, -1) : new Int32Array(),
          }),
          orchestration: NO_ORCHESTRATION,
        }),
    });
    const { hits } = await searchOf(source).execute(asking("needle"));
    expect(hits.map(({ sequence, messageIndex }) => [sequence, messageIndex])).toEqual([
      [0, 5],
      [1, undefined],
    ]);
  });

  it("reads a session that changed once more, and leaves one out that changes again, is gone or cannot be read", async () => {
    const memory = createInMemoryInspectorDataSource(SESSIONS);
    const changes = new Map([
      ["s2", 1],
      ["s1", 2],
    ]);
    const source = handMadeSource({
      listSessions: async () => [...(await memory.listSessions()), item("gone"), item("down")],
      async openSession(tenantId, sessionId) {
        if (sessionId === "down") throw new SourceUnavailableError("The store is down.");
        const opened = await memory.openSession?.(tenantId, sessionId);
        const left = changes.get(sessionId) ?? 0;
        changes.set(sessionId, left - 1);
        // It changes after the messages, which had a hit.
        return opened && left > 0
          ? { ...opened, messages: async () => changing(await opened.messages()) }
          : opened;
      },
    });
    const answer = await searchOf(source).execute(asking("needle"));
    expect(sessionsOf([answer])).toEqual(["s2", "s0"]);
    expect(answer.notes).toEqual([
      'Session "s1" of tenant "beta" changed while it was searched, and is skipped.',
      'Session "down" of tenant "acme" cannot be read just now, and is skipped.',
      'Session "gone" of tenant "acme" is gone, and is skipped.',
    ]);
    expect(answer.nextCursor).toBeNull();
    const one = asking("needle", { tenantId: "acme", sessionId: "down" });
    await expect(searchOf(source).execute(one)).rejects.toThrow("The store is down.");
  });

  it.each(["openSession", "loadTraceEnvelopes", "loadMessages", "loadOrchestrationEvents"] as const)(
    "leaves a session out whose %s fails with any error, says so, and tells its cause to the host alone",
    async (member) => {
      const memory = createInMemoryInspectorDataSource(SESSIONS);
      const source = fiveMethods(memory);
      const failing = async (tenantId: string, sessionId: string) => {
        if (sessionId === "s1") throw new Error("of /srv/secret");
        return (memory[member] as (...of: unknown[]) => Promise<never>)(tenantId, sessionId);
      };
      const failures: unknown[] = [];
      const answer = await searchOf({ ...source, [member]: failing }).execute(asking("needle"), {
        onFailure: (error) => failures.push(error),
      });
      expect(sessionsOf([answer])).toEqual(["s2", "s0"]);
      expect(answer.notes).toEqual(['Session "s1" of tenant "beta" could not be read, and is skipped.']);
      expect(answer.nextCursor).toBeNull();
      expect(failures).toEqual([new Error("of /srv/secret")]);
    },
  );

  it("names twenty sessions that cannot be read, and counts the others", async () => {
    const list = Array.from({ length: 30 }, (_, i) => item(`s${i}`));
    const failures: unknown[] = [];
    const source = handMadeSource({ listSessions: async () => list });
    const { notes, nextCursor } = await searchOf(source).execute(asking("needle"), {
      onFailure: (error) => failures.push(error),
    });
    expect([notes?.length, failures.length, nextCursor]).toEqual([21, 20, null]);
    expect(notes?.at(-1)).toBe("10 more sessions have such a note.");
  });

  it("keeps what it has found where the source fails to name further sessions, and fails with the next answer", async () => {
    const { source } = naming({});
    const searchRecords = source.searchRecords!;
    source.searchRecords = async (search) => {
      if (search.after === undefined) return searchRecords(search);
      throw new SourceUnavailableError("The store is down.");
    };
    const first = await searchOf(source).execute(asking("needle"));
    expect(sessionsOf([first])).toEqual(["s2"]);
    const next = searchOf(source).execute(asking("needle", { cursor: first.nextCursor! }));
    await expect(next).rejects.toThrow("The store is down.");
  });

  it("looks only into the sessions that the source names, and shows what it says of itself", async () => {
    const { source, searches } = naming({ notes: ["No index helps."] });
    const answer = await searchOf(source).execute(asking("needle"));
    expect(sessionsOf([answer])).toEqual(["s2", "s1"]);
    expect(answer).toMatchObject({
      searched: { bytes: 30 },
      total: { bytes: 30 },
      notes: ["No index helps."],
    });
    expect(searches.map(({ after }) => after)).toEqual([undefined, "1"]);
  });

  it("shows nothing that the source says of other tenants", async () => {
    const { source } = naming({ notes: ["Session s2 of acme cannot be read."] });
    const scoped = scopeToTenants(source, ["beta"]);
    for (const answer of [
      await searchOf(source).execute(asking("needle", { tenants: ["beta"] })),
      await searchOf(scoped).execute(asking("needle")),
    ]) {
      expect(sessionsOf([answer])).toEqual(["s1"]);
      expect([answer.searched, answer.total]).toEqual([{}, {}]);
      expect(JSON.stringify(answer)).not.toMatch(/acme|s2/);
    }
  });

  it.each<[string, Partial<RecordSearchPage>]>([
    ["candidates that are none", { candidates: [{ tenantId: "acme" }] as never }],
    ["no list", { candidates: undefined as never }],
    ["no extent", { total: undefined as never }],
    ["a next that is no text", { next: 7 as never }],
  ])("fails for a source that gives %s", async (_, wrong) => {
    const { source } = naming(wrong);
    await expect(searchOf(source).execute(asking("needle"))).rejects.toThrow("breaks its contract");
  });

  it("fails for a source that does not get on", async () => {
    const page = { candidates: [], next: "1", searched: {}, total: {} };
    const source = handMadeSource({ searchRecords: async () => page });
    await expect(searchOf(source).execute(asking("needle"))).rejects.toThrow("does not get on");
  });
});

/** Always names two of its three sessions, on two pages. */
function naming(wrong: Partial<RecordSearchPage>): { source: InspectorDataSource; searches: RecordSearch[] } {
  const searches: RecordSearch[] = [];
  const searchRecords = async (search: RecordSearch): Promise<RecordSearchPage> => {
    searches.push(search);
    const isFirst = search.after === undefined;
    const [tenantId, sessionId] = isFirst ? ["acme", "s2"] : ["beta", "s1"];
    const place = isFirst ? "1" : "2";
    return {
      candidates: [{ tenantId, sessionId, place, before: { sessions: 0, bytes: isFirst ? 0 : 20 } }],
      next: isFirst ? "1" : undefined,
      searched: { sessions: isFirst ? 1 : 3, bytes: isFirst ? 20 : 30 },
      total: { sessions: 3, bytes: 30 },
      ...wrong,
    };
  };
  return { source: Object.assign(createInMemoryInspectorDataSource(SESSIONS), { searchRecords }), searches };
}

function changing<T extends { read: (...of: never[]) => AsyncIterable<unknown> }>(stream: T): T {
  return {
    ...stream,
    async *read(...of: never[]) {
      yield* stream.read(...of);
      throw new SourceChangedError("It changed.");
    },
  };
}

function item(sessionId: string) {
  const lastActive = "1970-01-01T00:00:00.500Z";
  return {
    tenantId: "acme",
    sessionId,
    userId: "",
    lastActive,
    turns: 0,
    tokens: 0,
    status: "idle" as const,
  };
}

it("A record that makes the search fail is left out, and said of its session", async () => {
  const sessions = ["s1", "s2"].map((sessionId) => {
    const texts = sessionId === "s1" ? ["needle", "explode", "needle", "explode"] : ["needle"];
    return { sessionId, messages: texts.map((content) => ({ role: "user", content })) };
  });
  class FailingPool extends InProcessPool {
    override run<Input, Output>(task: ReadingTask<Input, Output>, input: Input, options?: RunOptions) {
      if (task.name !== SEARCH_BATCH.name) return super.run(task, input, options);
      const batch = input as SearchBatch;
      const find = textFinder(batch.query);
      const steps = searchBatchFor(function* (text) {
        if (text === "explode") throw new TypeError("no such text");
        return yield* find(text);
      }, batch);
      return runInSlices(steps) as Promise<Output>;
    }
  }
  const search = searchOf(createInMemoryInspectorDataSource(sessions), new FailingPool());
  const [{ hits, notes }] = (await follow(search, asking("needle"))) as [SearchAnswer];
  expect(hits.map(({ sessionId, messageIndex }) => [sessionId, messageIndex]).sort()).toEqual([
    ["s1", 0],
    ["s1", 2],
    ["s2", 0],
  ]);
  expect(notes).toEqual([
    'Session "s1" of tenant "default" holds 2 records that made the search fail (TypeError: no such text), which are skipped.',
  ]);
});
