import { expect, it } from "vitest";
import type { SessionFilter } from "../../domain/filter/session-filter.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import type { InspectorDataSource, SessionSearch } from "../ports/inspector-data-source.js";
import { lift } from "../sources/lift.js";
import { selectSessions } from "../sources/select-sessions.js";
import { runInSlices } from "../threads/slices.js";
import { FilteredSessions } from "./filtered-sessions.js";

const SESSIONS: readonly ListedSession[] = Array.from({ length: 20_000 }, (_, i) => ({
  ...{ tenantId: "t", sessionId: `s${i}`, userId: "", turns: i, tokens: 0, status: "idle" },
  lastActive: new Date(Date.UTC(2026, 0, 2) - i * 1_000).toISOString(),
}));

/** A store over a network that does not look at filters. */
function store() {
  const requests: SessionSearch[] = [];
  const source: InspectorDataSource = {
    concurrentReads: 8,
    listSessions: async () => [...SESSIONS],
    loadTraceEnvelopes: async () => [],
    loadOrchestrationEvents: async () => [],
    loadOrchestrationState: async () => null,
    loadMessages: async () => [],
    async findSessions(search) {
      requests.push(search);
      return { items: await runInSlices(selectSessions(SESSIONS, search)) };
    },
  };
  return { source: lift(source), requests };
}

const turns = (least: number): SessionFilter => ({
  ...{ is: "number", field: "turns", least, most: Number.POSITIVE_INFINITY, isOpen: false },
});

it("asks a store for more and more until a page is full", async () => {
  const { source, requests } = store();
  const page = await new FilteredSessions().find(source, { filter: turns(600), limit: 2 }, {});
  expect(page.items.map(({ sessionId }) => sessionId)).toEqual(["s600", "s601"]);
  expect([page.hasMore, page.lookedTo]).toEqual([true, undefined]);
  expect(requests.map(({ limit }) => limit)).toEqual([3, 12, 48, 192, 768]);
});

it("gives a page that is not full after much was looked at, and says behind which place the next one begins", async () => {
  const { source } = store();
  const filtered = new FilteredSessions();
  const search = { filter: turns(19_999), limit: 1 };
  const first = await filtered.find(source, search, {});
  expect([first.items, first.hasMore]).toEqual([[], true]);
  const second = await filtered.find(source, { ...search, after: first.lookedTo }, {});
  expect([second.items.map(({ sessionId }) => sessionId), second.hasMore]).toEqual([["s19999"], false]);
});
