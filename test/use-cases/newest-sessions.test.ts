import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type EstimatedSession,
  newestFirst,
  newestSessions,
} from "../../src/adapters/files/catalog/newest-sessions.js";
import type { SessionSearch } from "../../src/application/ports/inspector-data-source.js";
import { selectSessions } from "../../src/application/sources/select-sessions.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { InspectorSessionItem } from "../../src/domain/session/session.js";
import { formatInstant } from "../../src/domain/trace/instant.js";
import { runs } from "../support/soak.js";

const NOON = Date.UTC(2026, 0, 15, 12);

interface Given {
  /** Seconds after noon. */
  readonly active: number;
  /** Seconds after noon. */
  readonly written: number;
  readonly tenant?: string;
  readonly userId?: string;
}

class Shelf {
  readonly sessions: Session[];
  refined = 0;
  read: string[] = [];

  constructor(given: readonly Given[]) {
    const sessions = given.map((one, i) => new Session(one, i));
    this.sessions = runToEnd(newestFirst(sessions));
  }

  find(search: SessionSearch) {
    return newestSessions(
      {
        sessions: this.sessions,
        isReady: ({ isRead }) => isRead,
        readFor: () => Promise.reject(new Error("nothing here has a budget")),
        refine: async (coarse) => {
          this.refined += coarse.length;
          for (const one of coarse) one.refine();
        },
        read: async (unread) => {
          this.read.push(...unread.map(({ sessionId }) => sessionId));
          for (const one of unread) one.isRead = true;
        },
        describe: ({ item }) => item,
      },
      search,
    );
  }

  async pages(search: SessionSearch): Promise<InspectorSessionItem[]> {
    const items: InspectorSessionItem[] = [];
    for (let after: SessionSearch["after"]; ; after = items.at(-1)) {
      const page = await this.find({ ...search, after });
      items.push(...page.items);
      if (page.items.length < search.limit!) return items;
    }
  }

  wanted(search: SessionSearch): InspectorSessionItem[] {
    return runToEnd(
      selectSessions(
        this.sessions.map(({ item }) => item),
        search,
      ),
    );
  }
}

class Session implements EstimatedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly item: InspectorSessionItem;
  readonly isGone = false;
  isRefined = false;
  isRead = false;
  #estimate: number;
  readonly #active: number;

  constructor({ active, written, tenant = "t", userId = "" }: Given, index: number) {
    this.tenantId = tenant;
    this.sessionId = `s${index}`;
    this.#active = NOON + active * 1_000;
    this.#estimate = NOON + written * 1_000;
    const lastActive = formatInstant(this.#active);
    const { tenantId, sessionId } = this;
    this.item = { tenantId, sessionId, userId, lastActive, turns: 0, tokens: 0, status: "idle" };
  }

  get estimate(): number {
    return this.isRead ? this.#active : this.#estimate;
  }

  refine(): void {
    this.isRefined = true;
    this.#estimate = this.#active;
  }
}

const many = (count: number, written: (active: number) => number): Given[] =>
  Array.from({ length: count }, (_, i) => ((i * 7_919) % count) * 10).map((active) => ({
    active,
    written: written(active),
  }));

describe("a page of sessions", () => {
  it("reads no more than it holds, and says how many there are and are left", async () => {
    const shelf = new Shelf(many(1_000, (active) => active + 1));
    expect(await shelf.find({ limit: 100 })).toMatchObject({ total: 1_000, unread: 900 });
    expect(new Set(shelf.read).size).toBe(100);
    expect(shelf.refined).toBeLessThan(110);
    expect((await shelf.find({ limit: 100 })).items).toEqual(shelf.wanted({ limit: 100 }));
    expect(shelf.read).toHaveLength(100);
  });

  it("looks at the ends of all files of a folder that was copied, and reads no more of them", async () => {
    const shelf = new Shelf(many(1_000, () => 1_000_000));
    expect((await shelf.find({ limit: 100 })).items).toEqual(shelf.wanted({ limit: 100 }));
    expect(shelf.read).toHaveLength(100);
    expect(shelf.refined).toBe(1_000);
  });

  it("reads on until enough sessions match, and every session where too few do", async () => {
    const given = many(1_000, (active) => active).map((one) => ({
      ...one,
      userId: one.active % 100 === 0 ? "ada" : "ben",
    }));
    const shelf = new Shelf(given);
    expect((await shelf.find({ limit: 10, userId: "ada" })).items).toEqual(
      shelf.wanted({ limit: 10, userId: "ada" }),
    );
    expect(shelf.read.length).toBeLessThan(250);
    expect(await shelf.find({ limit: 10, userId: "nobody" })).toMatchObject({ items: [], unread: 0 });
  });

  it("reads and counts sessions of the tenants that are asked for alone", async () => {
    const given = many(100, (active) => active).map((one, i) => ({
      ...one,
      tenant: i % 4 === 0 ? "a" : "b",
    }));
    const shelf = new Shelf(given);
    const page = await shelf.find({ tenants: ["a"], limit: 1_000 });
    expect(page).toMatchObject({ total: 25, unread: 0 });
    expect(shelf.read).toHaveLength(25);
  });

  it("holds in all pages what one list holds, however wrong the times of the files are", async () => {
    const second = fc.integer({ min: 0, max: 30 });
    const given = fc.record({ active: second, written: second, userId: fc.constantFrom("ada", "ben") });
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(undefined, "ada"),
        async (sessions, limit, userId) => {
          const late = sessions.map((one) => ({ ...one, written: Math.max(one.active, one.written) }));
          const shelf = new Shelf(late);
          expect(await shelf.pages({ limit, userId })).toEqual(shelf.wanted({ userId }));
          // For an instant later than its file's time, the order is right once everything is read.
          const mended = new Shelf(sessions);
          const first = await mended.pages({ limit, userId });
          expect(new Set(first).size).toBe(first.length);
          await mended.pages({ limit: 1, userId: "nobody" });
          expect(await mended.pages({ limit, userId })).toEqual(mended.wanted({ userId }));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("counts as unread what another answer reads while the sessions are described, because it is not among them", async () => {
    const sessions = [10, 20, 30].map((active, i) => new Session({ active, written: active }, i));
    const [known, other] = sessions;
    known!.isRead = true;
    const describe = ({ item }: Session) => {
      other!.isRead = true;
      return item;
    };
    const isReady = ({ isRead }: Session) => isRead;
    const nothing = async () => {};
    const reader = { sessions, isReady, describe, refine: nothing, read: nothing, readFor: nothing };
    const page = await newestSessions(reader, { budgetMs: 0 });
    expect([page.items, page.unread, page.total]).toEqual([[known!.item], 2, 3]);
  });
});
