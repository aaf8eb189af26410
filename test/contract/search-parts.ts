import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import type { SessionSearch } from "../../src/application/ports/inspector-data-source.js";
import { selectSessions } from "../../src/application/sources/select-sessions.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { InspectorSessionItem, SessionSortKey } from "../../src/domain/session/session.js";
import { type ContractSession, envelopeText, NOON } from "./fixture.js";
import { type ContractSuite, needed, SESSION } from "./suite.js";

export function describeSearch({ open, part }: ContractSuite): void {
  part("search", () => {
    it("finds what the inspector would make of the list, for every filter, cursor and limit", {
      timeout: 120_000,
    }, async (test) => {
      const { source } = await open(...SESSIONS);
      needed(test, "findSessions", source.findSessions);
      const list = await source.listSessions();
      const order = (search: SessionSearch): InspectorSessionItem[] => runToEnd(selectSessions(list, search));
      const places: (SessionSortKey | undefined)[] = [undefined, ...order({}).map(placeOf), BETWEEN];
      for (const filter of FILTERS) {
        for (const after of places) {
          for (const limit of [undefined, 1, 2, list.length]) {
            const search = { ...filter, after, limit };
            const found = await source.findSessions?.(search);
            const expected = order(search);
            // `expect` on each of the thousands of comparisons would be slow.
            if (isDeepStrictEqual(found?.items, expected)) continue;
            expect([search, found?.items]).toEqual([search, expected]);
          }
        }
      }
    });
  });

  part("revision", () => {
    it("is the same as long as the list is", async (test) => {
      const { source } = await open(...SESSIONS);
      needed(test, "revision", source.revision);
      const revision = needed(test, "revision", await source.revision?.());
      await source.listSessions();
      expect(await source.revision?.()).toBe(revision);
    });

    it("changes with every change of the list", async (test) => {
      const { source, ...store } = await open(SESSION);
      needed(test, "revision", source.revision);
      const append = needed(test, "append", store.append);
      const seen = [needed(test, "revision", await source.revision?.())];
      const turn = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
      for (const added of [
        { ...SESSION, sessionId: "s2" },
        { ...SESSION, turns: [{ ...turn, updatedAt: NOON + 60_000 }] },
        { ...SESSION, envelopes: [envelopeText(0, { type: "turn.start", turnIndex: 1 }, { second: 90 })] },
      ]) {
        const before = await source.listSessions();
        await append(added);
        expect(await source.listSessions()).not.toEqual(before);
        const revision = await source.revision?.();
        expect(seen).not.toContain(revision);
        seen.push(revision!);
      }
    });
  });
}

const FAILED = [
  envelopeText(0, { type: "turn.start", turnIndex: 0 }),
  envelopeText(1, { type: "turn.end", turnIndex: 0, outcome: "failed" }),
];

/** Ties, capitals, and wildcards of a database. */
const SESSIONS: readonly ContractSession[] = [
  { tenantId: "acme", sessionId: "s1", userId: "ada", title: "Weekly Report", createdAt: NOON + 2_000 },
  { tenantId: "acme", sessionId: "s2", userId: "ben", title: "weekly plan", createdAt: NOON + 3_000 },
  { tenantId: "Acme", sessionId: "s1", userId: "Ada", title: "100% of it", createdAt: NOON + 2_000 },
  { tenantId: "globex", sessionId: "S_3", userId: "", createdAt: NOON + 2_000 },
  { tenantId: "globex", sessionId: "é", userId: "ada", title: "Grüße an \u{1F99C}", createdAt: NOON },
  { tenantId: "globex", sessionId: "z", userId: "ada", title: "back\\slash", createdAt: NOON + 2_000 },
  { tenantId: "acme", sessionId: "s3", userId: "ada", createdAt: NOON - 60_000, envelopes: FAILED },
];

const BETWEEN: SessionSortKey = {
  lastActive: new Date(NOON + 2_000).toISOString(),
  tenantId: "b",
  sessionId: "",
};

const FILTERS: readonly SessionSearch[] = [
  {},
  ...["acme", "Acme", "globex", "nobody"].map((tenantId) => ({ tenantId })),
  ...[[], ["acme"], ["Acme", "globex"], ["acme", "nobody"]].map((tenants) => ({ tenants })),
  ...["ada", "Ada", "", "nobody"].map((userId) => ({ userId })),
  ...(["idle", "running", "waiting", "error"] as const).map((status) => ({ status })),
  ...["weekly", "WEEKLY", "s", "S_", "%", "_", "\\", "GRÜSSE", "grüße", "\u{1F99C}", "nothing"].map(
    (text) => ({
      text,
    }),
  ),
  { tenantId: "acme", text: "weekly" },
  { sessionId: "s1" },
  ...["s1", "s2", "S1", "nobody"].map((sessionId) => ({ tenantId: "acme", sessionId })),
  { tenantId: "acme", sessionId: "s1", userId: "ben" },
  { tenantId: "acme", tenants: ["globex"], sessionId: "s1" },
  { userId: "ada", status: "idle" },
  { tenants: ["acme", "globex"], userId: "ada", text: "s" },
  { tenantId: "acme", tenants: ["Acme"] },
  { tenantId: "acme", userId: "ada", status: "error", text: "S3" },
];

function placeOf({ lastActive, tenantId, sessionId }: InspectorSessionItem): SessionSortKey {
  return { lastActive, tenantId, sessionId };
}
