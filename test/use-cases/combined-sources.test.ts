import { describe, expect, it } from "vitest";
import {
  createInMemoryInspectorDataSource,
  DEFAULT_KINDS,
  SearchRecords,
  SourceUnavailableError,
  scopeToTenants,
} from "../../src/advanced.js";
import type { ReadingTask, RunOptions } from "../../src/application/ports/reading-pool.js";
import { lift } from "../../src/application/sources/lift.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import type { SearchQuery } from "../../src/domain/search/search-query.js";
import { combineDataSources, type InspectorDataSource, type SessionPage } from "../../src/index.js";
import { at, lines, newProjects, userRecord } from "../claude-code/support/projects.js";
import { placesOf } from "../contract/naive-search.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { askAllPages, inspect } from "../support/inspector.js";
import { fiveMethods } from "../support/sources.js";

const NOON = Date.UTC(2026, 0, 15, 12);

/** Seconds after noon, one session each. */
function memory(...seconds: readonly number[]) {
  return createInMemoryInspectorDataSource(
    seconds.map((second, i) => ({
      tenantId: "t",
      sessionId: `s${i}`,
      title: `Report ${i}`,
      createdAt: NOON + second * 1_000,
      messages: [{ role: "user", content: `said ${i}` }],
    })),
  );
}

const AB = (a: InspectorDataSource, b: InspectorDataSource, options = {}) =>
  combineDataSources(
    [
      { key: "a", name: "Source A", source: a },
      { key: "b", name: "Source B", source: b },
    ],
    options,
  );

const failing = (error: unknown) =>
  handMadeSource({
    findSessions: async () => {
      throw error;
    },
    searchRecords: async () => {
      throw error;
    },
  });

const keysOf = ({ items }: Pick<SessionPage, "items">) =>
  items.map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`);

const found = (source: InspectorDataSource, search = {}) => lift(source).findSessions(search);

const SAID: SearchQuery = { kind: "text", text: "said", isExact: false };

describe("A combination of sources", () => {
  it("keeps sessions of the same ids apart, and says which source each is of", async () => {
    const source = AB(memory(1), memory(2));
    expect(await source.listSessions()).toMatchObject([
      { tenantId: "b:t", sessionId: "s0", source: "Source B" },
      { tenantId: "a:t", sessionId: "s0", source: "Source A" },
    ]);
    const other = createInMemoryInspectorDataSource([
      { tenantId: "t", sessionId: "s0", messages: [{ role: "user", content: "of b" }] },
    ]);
    const both = AB(memory(1), other);
    expect(await both.loadMessages("a:t", "s0")).toEqual([{ role: "user", content: "said 0" }]);
    expect(await both.loadMessages("b:t", "s0")).toEqual([{ role: "user", content: "of b" }]);
    for (const unknown of ["t", "c:t", "a:", "a", ":t", "b:b:t"]) {
      expect(await both.loadMessages(unknown, "s0")).toEqual([]);
      expect(await both.openSession?.(unknown, "s0")).toBeUndefined();
    }
  });

  it("gives one source back as it is", () => {
    const source = memory(1);
    expect(combineDataSources([{ key: "a", source }])).toBe(source);
  });

  it("refuses keys that are none, names that two sources share, and nothing", () => {
    const source = memory();
    for (const key of ["", "A", "a:b", "a/b", "..", "-a", "a b", "é"]) {
      expect(() => combineDataSources([{ key, source }])).toThrow(`"${key}" is no key of a source`);
    }
    for (const [first, second] of [
      [{ key: "a" }, { key: "a", name: "Other" }],
      [
        { key: "a", name: "Same" },
        { key: "b", name: "Same" },
      ],
      [{ key: "a" }, { key: "b", name: "a" }],
    ] as const) {
      expect(() =>
        combineDataSources([
          { ...first, source },
          { ...second, source },
        ]),
      ).toThrow(TypeError);
    }
    expect(() => combineDataSources([])).toThrow(TypeError);
  });

  it("pages through all sources in one order, also where many were active at the same instant", async () => {
    const seconds = Array.from({ length: 18 }, (_, i) => Math.floor(i / 7));
    for (const [a, b] of [
      [memory(...seconds), memory(...seconds)],
      [fiveMethods(memory(...seconds)), memory(3)],
    ] as const) {
      const source = AB(a, b);
      const all = keysOf(await found(source));
      for (const limit of [1, 3, 16]) {
        const paged = await askAllPages(inspect(source), "/sessions", "sessions", limit);
        expect(keysOf({ items: paged as never })).toEqual(all);
      }
    }
  });

  it("finds what one source with all the sessions finds, by every filter, from every place", async () => {
    const sessions = Array.from({ length: 12 }, (_, i) => ({
      key: "ab"[i % 2]!,
      tenantId: "tu"[i % 3 === 0 ? 1 : 0]!,
      sessionId: `s${i}`,
      userId: i % 4 === 0 ? "ada" : "ben",
      title: `Report ${i}`,
      createdAt: NOON + Math.floor(i / 5) * 1_000,
    }));
    const of = (wanted: string) =>
      createInMemoryInspectorDataSource(
        sessions.flatMap(({ key, ...session }) => (key === wanted ? [session] : [])),
      );
    const both = AB(of("a"), of("b"));
    const one = createInMemoryInspectorDataSource(
      sessions.map(({ key, ...session }) => ({ ...session, tenantId: `${key}:${session.tenantId}` })),
    );
    const between = { lastActive: new Date(NOON + 1_000).toISOString(), tenantId: "aa", sessionId: "" };
    for (const filter of [
      {},
      ...["a:t", "b:u", "t", "a:", "c:t"].map((tenantId) => ({ tenantId })),
      ...[["a:t", "b:u", "a:x"], ["b:t"], []].map((tenants) => ({ tenants })),
      { sessionId: "s3" },
      { userId: "ada", text: "REPORT" },
      { status: "idle", text: "report 1" },
    ]) {
      for (const after of [undefined, between, ...(await found(one)).items]) {
        for (const limit of [undefined, 1, 3]) {
          const search = { ...filter, after, limit };
          expect([search, keysOf(await found(both, search))]).toEqual([
            search,
            keysOf(await found(one, search)),
          ]);
        }
      }
    }
  });

  it("sums up what is counted, and counts nothing where one source does not", async () => {
    const counting = (total: number, unread: number) =>
      handMadeSource({ findSessions: async () => ({ items: [], total, unread }) });
    expect(await found(AB(counting(5, 2), counting(7, 1)))).toMatchObject({ total: 12, unread: 3 });
    const { total, unread } = await found(AB(counting(5, 2), memory(1)));
    expect([total, unread]).toEqual([undefined, undefined]);
  });

  it("names the source of a warning", async () => {
    const warnings = [{ file: "p", line: 1, reason: "p cannot be read." }];
    const source = AB(memory(1), handMadeSource({ findSessions: async () => ({ items: [], warnings }) }));
    expect((await found(source)).warnings).toEqual([
      { file: "b/p", line: 1, reason: "Source B: p cannot be read." },
    ]);
  });

  it("lists the sessions of one source, by its key or its name, and none of one that is not there", async () => {
    const inspector = inspect(AB(memory(1), memory(2)));
    for (const [name, tenants] of [
      ["a", ["a:t"]],
      ["Source B", ["b:t"]],
      ["c", []],
    ] as const) {
      const { body } = await inspector.ask(`/sessions?source=${encodeURIComponent(name)}`);
      expect((body.sessions as { tenantId: string }[]).map(({ tenantId }) => tenantId)).toEqual(tenants);
    }
    const alone = inspect(memory(1));
    expect((await alone.ask("/sessions?source=a")).body).toEqual({ sessions: [] });
    expect((await alone.ask("/sessions")).body).toMatchObject({ sessions: [{ tenantId: "t" }] });
  });

  it("shows a caller the sessions of the tenants in his scope, of every source or of one", async () => {
    const source = scopeToTenants(AB(memory(1), memory(2)), ["b:t"]);
    expect(keysOf(await found(source))).toEqual(["b:t/s0"]);
    expect(await source.openSession?.("a:t", "s0")).toBeUndefined();
    expect(await (await source.sourceNamed?.("a"))?.listSessions()).toEqual([]);
    expect(await placesOf(source, SAID)).toEqual(["b:t/s0 message 0: 1"]);
    expect(await scopeToTenants(AB(memory(1), memory(2)), ["t"]).listSessions()).toEqual([]);
  });

  it("closes every source, also where one fails at it", async () => {
    const closed: string[] = [];
    const closing = (name: string, error?: Error) =>
      handMadeSource({
        async close() {
          closed.push(name);
          if (error !== undefined) throw error;
        },
      });
    await expect(AB(closing("a", new Error("stuck")), closing("b")).close?.()).rejects.toThrow("stuck");
    expect(closed).toEqual(["a", "b"]);
  });
});

describe("A source of a combination that fails", () => {
  it("costs its own sessions, and gives a warning without its secrets", async () => {
    for (const [error, reason] of [
      [new Error("/home/ada/.secret"), "Source B could not be read."],
      [
        new SourceUnavailableError("The database is away."),
        "Source B cannot be read just now: The database is away.",
      ],
    ] as const) {
      const errors: unknown[] = [];
      const onError = (cause: unknown, { key }: { readonly key: string }) => errors.push([key, cause]);
      const inspector = inspect(AB(memory(1), failing(error), { onError }));
      const { status, body } = await inspector.ask("/sessions?limit=10");
      expect(status).toBe(200);
      expect(body).toMatchObject({
        sessions: [{ tenantId: "a:t" }],
        warnings: [{ file: "b", line: 1, reason }],
      });
      expect(errors).toEqual([["b", error]]);
    }
  });

  it("is an error where nothing else was asked for", async () => {
    const error = new SourceUnavailableError("The database is away.");
    const source = AB(memory(1), failing(error), { onError: () => undefined });
    expect((await inspect(source).ask("/sessions?source=b")).status).toBe(503);
    expect((await inspect(source).ask("/sessions?tenantId=b:t")).status).toBe(503);
    await expect(
      AB(failing(error), failing(error), { onError: () => undefined }).listSessions(),
    ).rejects.toBe(error);
  });

  it("is waited for once, goes on meanwhile, and is in the list as soon as it has answered", async () => {
    const items = await memory(5).listSessions();
    let asked = 0;
    let answer = (_: SessionPage): void => undefined;
    const slow = handMadeSource({
      findSessions: () => {
        asked++;
        return new Promise<SessionPage>((resolve) => {
          answer = resolve;
        });
      },
    });
    const errors: unknown[] = [];
    const source = AB(memory(1), slow, { timeoutMs: 20, onError: (error: unknown) => errors.push(error) });
    for (let i = 0; i < 3; i++) {
      const page = await found(source);
      expect(keysOf(page)).toEqual(["a:t/s0"]);
      expect(page.warnings).toEqual([{ file: "b", line: 1, reason: "Source B did not answer in time." }]);
    }
    expect([asked, errors.length]).toEqual([1, 1]);
    answer({ items });
    await new Promise(setImmediate);
    const whole = found(source);
    await new Promise(setImmediate);
    answer({ items });
    expect(keysOf(await whole)).toEqual(["b:t/s0", "a:t/s0"]);
    expect(asked).toBe(2);
  });

  it("is stopped where it takes far too long, or the combination is closed", async () => {
    for (const [timeoutMs, isClosed] of [
      [5, false],
      [200, true],
    ] as const) {
      let reading: AbortSignal | undefined;
      const slow = handMadeSource({
        findSessions: (_, options) => {
          reading = options?.signal;
          return new Promise(() => undefined);
        },
      });
      const source = AB(memory(1), slow, { timeoutMs, onError: () => undefined });
      await found(source);
      expect(reading?.aborted).toBe(false);
      if (isClosed) await source.close?.();
      await expect.poll(() => reading?.aborted, { interval: 1, timeout: isClosed ? 500 : 5_000 }).toBe(true);
    }
  });

  it("is no failure where the caller has gone", async () => {
    const gone = new AbortController();
    const errors: unknown[] = [];
    const slow = handMadeSource({ findSessions: () => new Promise(() => undefined) });
    const page = AB(memory(1), slow, { onError: (error: unknown) => errors.push(error) }).findSessions?.(
      {},
      { signal: gone.signal },
    );
    gone.abort(new Error("left"));
    await expect(page).rejects.toThrow("left");
    expect(errors).toEqual([]);
  });

  it("leaves the others to a search, which says so", async () => {
    const source = AB(memory(1, 2), failing(new Error("/secret")), { onError: () => undefined });
    const search = new SearchRecords(source, undefined, { budgetMs: 60_000 });
    expect(await search.execute({ query: SAID, kinds: DEFAULT_KINDS, limit: 10 })).toMatchObject({
      hits: [{ tenantId: "a:t" }, { tenantId: "a:t" }],
      notes: ["Source B could not be read."],
      total: { sessions: 2 },
      nextCursor: null,
    });
  });

  it("gives its list another revision, before and after", async () => {
    let error: Error | undefined;
    const steady = () =>
      Object.assign(
        memory(1),
        { revision: async () => "1" },
        {
          async findSessions(this: InspectorDataSource) {
            if (error !== undefined) throw error;
            return { items: await this.listSessions() };
          },
        },
      );
    const inspector = inspect(
      AB(Object.assign(memory(1), { revision: async () => "1" }), steady(), { onError: () => undefined }),
    );
    const ask = async (etag: string) => {
      const { status, headers, body } = await inspector.ask("/sessions", {
        headers: { "If-None-Match": etag },
      });
      return {
        status,
        etag: headers.get("ETag")!,
        sessions: (body.sessions as unknown[] | undefined)?.length,
      };
    };
    const whole = await ask("");
    expect(whole).toMatchObject({ status: 200, sessions: 2 });
    expect((await ask(whole.etag)).status).toBe(304);
    error = new Error("away");
    const partly = await ask("");
    expect(partly).toMatchObject({ status: 200, sessions: 1 });
    error = undefined;
    expect(await ask(partly.etag)).toMatchObject({ status: 200, sessions: 2 });
  });
});

describe("A search of a combination", () => {
  it("goes through all sources in turn, and finds each hit once, however often it is broken off", async () => {
    const seconds = Array.from({ length: 20 }, (_, i) => i);
    const source = AB(memory(...seconds), fiveMethods(memory(...seconds)));
    const hits = await placesOf(source, SAID);
    expect(new Set(hits).size).toBe(40);
    expect(hits.slice(0, 17).map((hit) => hit.slice(0, 2))).toEqual([...Array(16).fill("a:"), "b:"]);
    expect(await placesOf(source, SAID, { limit: 7 })).toEqual(hits);
    expect(await placesOf(source, SAID, { budgetMs: 0 })).toEqual(hits);
  });

  it("gives every source its turn, in whatever order they are named", async () => {
    const seconds = Array.from({ length: 20 }, (_, i) => i);
    const sources = ["z", "a", "m"].map((key) => ({ key, source: memory(...seconds) }));
    const hits = await placesOf(combineDataSources(sources), SAID);
    const turns = hits.map((hit) => hit[0]).filter((key, i, keys) => key !== keys[i - 1]);
    expect(turns.join("")).toBe("amzamz");
    expect(hits).toHaveLength(60);
  });

  it("goes on where many sources have long places", async () => {
    const long = (tenantId: string) =>
      createInMemoryInspectorDataSource(
        Array.from({ length: 20 }, (_, i) => ({
          tenantId,
          sessionId: `s${i}`,
          messages: [{ content: "said" }],
        })),
      );
    const sources = Array.from({ length: 9 }, (_, i) => ({
      key: `k${i}`,
      source: long(`${i}`.repeat(250)),
    }));
    expect(await placesOf(combineDataSources(sources), SAID)).toHaveLength(180);
  });

  it.each(["", "[]", "{}", '["a",["a",1]]', '["a",["a","x"]]', "[1]", '["a","b"]'])(
    "refuses %s as a place",
    async (after) => {
      const search = { query: SAID, limit: 16, budgetMs: 100, after };
      await expect(AB(memory(1), memory(2)).searchRecords?.(search)).rejects.toThrow(
        "cursor was not issued for this search.",
      );
    },
  );
});

describe("A page of a combination", () => {
  it("reads no more of each source than a page takes", async () => {
    class CountingPool extends InProcessPool {
      sessionsRead = 0;

      override run<Input, Output>(
        task: ReadingTask<Input, Output>,
        input: Input,
        options?: RunOptions,
      ): Promise<Output> {
        if (task.name === "summarize")
          this.sessionsRead += (input as { sessions: unknown[] }).sessions.length;
        return super.run(task, input, options);
      }
    }
    const pools = [new CountingPool(), new CountingPool()] as const;
    const folder = (from: number) =>
      newProjects(
        Object.fromEntries(
          Array.from({ length: 300 }, (_, i) => [`p/s${i}.jsonl`, lines(userRecord(i, from + i, "Go."))]),
        ),
      );
    const [a, b] = await Promise.all([folder(0), folder(100)]);
    const source = AB(
      createClaudeCodeDataSource(a, { pool: pools[0] }),
      createClaudeCodeDataSource(b, { pool: pools[1] }),
    );
    const page = await found(source, { limit: 10 });
    expect(page.items.at(0)).toMatchObject({ tenantId: "b:p", lastActive: at(399) });
    expect(page).toMatchObject({ total: 600 });
    for (const pool of pools) expect(pool.sessionsRead).toBeLessThan(100);
  });

  it("asks no source about its own name, or how its tenants are called outside", async () => {
    const filters: unknown[] = [];
    const part = handMadeSource({
      findSessions: async ({ filter }) => {
        filters.push(filter);
        return { items: [] };
      },
    });
    const wanted = { is: "text", field: "tenant", value: "a:t", isExact: true } as const;
    const user = { is: "text", field: "user", value: "ada", isExact: true } as const;
    await found(AB(part, memory()), { filter: { is: "all", of: [wanted, user] } });
    expect(filters).toEqual([{ is: "all", of: [{ is: "undecided" }, user] }]);
  });
});
