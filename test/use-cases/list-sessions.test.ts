import { describe, expect, it } from "vitest";
import { InvalidRequestError, ListSessions } from "../../src/advanced.js";
import type { InspectorSessionItem, SessionSearch } from "../../src/index.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { recordsOf } from "../support/list-records.js";

function session(
  sessionId: string,
  minute: number,
  more: Partial<InspectorSessionItem> = {},
): InspectorSessionItem {
  const lastActive = new Date(Date.UTC(2026, 0, 15, 12, minute)).toISOString();
  return {
    tenantId: "acme",
    sessionId,
    userId: "ada",
    lastActive,
    turns: 0,
    tokens: 0,
    status: "idle",
    ...more,
  };
}

const SESSIONS = [
  session("b", 1),
  session("a", 1),
  session("newest", 9, { title: "Fix the Parser", status: "error" }),
  session("other", 1, { tenantId: "aaa", userId: "Grace" }),
];

const listing = (sessions: InspectorSessionItem[] = SESSIONS) =>
  new ListSessions(handMadeSource({ listSessions: async () => structuredClone(sessions) }));

const ids = async (query: Parameters<ListSessions["execute"]>[0]) =>
  (await recordsOf(await listing().execute(query))).map(({ sessionId }) => sessionId);

describe("ListSessions", () => {
  it("orders by activity, newest first, then by tenant, then by session", async () => {
    expect(await ids({})).toEqual(["newest", "other", "a", "b"]);
  });

  it("filters by tenant, user and status, and by text whatever its case", async () => {
    expect(await ids({ tenantId: "aaa" })).toEqual(["other"]);
    expect(await ids({ userId: "ada", status: "idle" })).toEqual(["a", "b"]);
    expect(await ids({ text: "PARSER" })).toEqual(["newest"]);
    expect(await ids({ text: "grace" })).toEqual(["other"]);
    expect(await ids({ text: "EWES" })).toEqual(["newest"]);
    expect(await ids({ tenantId: "acme", text: "nothing" })).toEqual([]);
  });

  it("hands the search to a source that can search, with one session more than the page has", async () => {
    const searches: SessionSearch[] = [];
    const source = handMadeSource({
      async findSessions(search) {
        searches.push(search);
        return { items: SESSIONS.slice(0, search.limit) };
      },
    });
    const list = new ListSessions(source);
    const first = await list.execute({ tenantId: "acme", text: "Weekly", window: { limit: 3 } });
    if (first.isUnchanged) throw new Error("unchanged");
    expect(await recordsOf(first)).toEqual(SESSIONS.slice(0, 3));
    await list.execute({ status: "idle", window: { limit: 3, cursor: first.nextCursor! } });
    const { lastActive, tenantId, sessionId } = SESSIONS[2]!;
    expect(searches).toEqual([
      { tenantId: "acme", text: "Weekly", limit: 4 },
      { status: "idle", limit: 4, after: { lastActive, tenantId, sessionId } },
    ]);
    for (const limit of [4, 5]) {
      expect(await list.execute({ window: { limit } })).toMatchObject({ nextCursor: null });
    }
  });

  it("hands on how many there are, how many are unread, and what could not be read", async () => {
    const warnings = [{ file: "p", line: 1, reason: "p cannot be read." }];
    const page = { items: SESSIONS, total: 9, unread: 5, warnings };
    const list = new ListSessions(handMadeSource({ findSessions: async () => page }));
    expect(await list.execute({ window: { limit: 10 } })).toMatchObject({
      counts: { total: 9, unread: 5 },
      warnings,
    });
    expect(await list.execute()).not.toHaveProperty("counts");
    const revisions = new Set<string | undefined>();
    for (const other of [page, { ...page, unread: 4 }, { ...page, warnings: [] }]) {
      const source = handMadeSource({ findSessions: async () => other });
      revisions.add((await new ListSessions(source).execute({ window: { limit: 10 } })).revision);
    }
    expect(revisions.size).toBe(3);
  });

  it.each([{ total: -1 }, { unread: "5" }, { total: Number.NaN }, { warnings: "none" }])(
    "refuses a page that counts by %o",
    async (counts) => {
      const findSessions = async () => ({ items: SESSIONS, ...counts }) as never;
      const asked = new ListSessions(handMadeSource({ findSessions })).execute({ window: { limit: 10 } });
      await expect(asked).rejects.toThrow(/^The data source breaks its contract: findSessions /);
    },
  );

  it("pages by place, so that a session that becomes active meanwhile moves no other", async () => {
    const first = await listing().execute({ window: { limit: 2 } });
    if (first.isUnchanged) throw new Error("unchanged");
    const active = [...SESSIONS, session("just now", 30)];
    const next = await listing(active).execute({ window: { limit: 2, cursor: first.nextCursor ?? "" } });
    expect((await recordsOf(next)).map(({ sessionId }) => sessionId)).toEqual(["a", "b"]);
    expect(next).toMatchObject({ nextCursor: null });
  });

  it("has no cursor where no limit was asked for", async () => {
    expect(await listing().execute()).not.toHaveProperty("nextCursor");
  });

  it("refuses a cursor that was never issued", async () => {
    for (const cursor of ["", "x", "AAAA", Buffer.from("00000000[]").toString("base64url")]) {
      await expect(listing().execute({ window: { cursor } })).rejects.toBeInstanceOf(InvalidRequestError);
    }
  });

  it("makes a revision of its own, which a change of any session changes", async () => {
    const revisionOf = async (sessions: InspectorSessionItem[]) =>
      (await listing(sessions).execute()).revision;
    const before = await revisionOf(SESSIONS);
    expect(await revisionOf(structuredClone(SESSIONS))).toBe(before);
    expect(await revisionOf([...SESSIONS.slice(1), session("b", 1, { turns: 1 })])).not.toBe(before);
    expect(await revisionOf(SESSIONS.slice(1))).not.toBe(before);
  });

  it("loads nothing for a caller that has the source's revision", async () => {
    const list = new ListSessions(handMadeSource({ revision: async () => "r7" }));
    expect(await list.execute({}, { has: (revision) => revision === "r7" })).toEqual({
      isUnchanged: true,
      revision: "r7",
    });
  });

  it("sorts twenty thousand sessions as a plain sort does", async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => session(`s${(i * 7919) % 20_000}`, i % 50));
    const found = (await recordsOf<InspectorSessionItem>(await listing(many).execute())).map(
      (item) => item.sessionId,
    );
    const plain = [...many].sort((a, b) =>
      a.lastActive < b.lastActive ? 1 : a.lastActive > b.lastActive ? -1 : a.sessionId < b.sessionId ? -1 : 1,
    );
    expect(found.length).toBe(20_000);
    expect(found.findIndex((id, i) => id !== plain[i]?.sessionId)).toBe(-1);
  });
});
