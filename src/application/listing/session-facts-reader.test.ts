import { expect, it } from "vitest";
import type { ListedSession } from "../../domain/session/model-usage.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import { lift } from "../sources/lift.js";
import { SessionFactsReader } from "./session-facts-reader.js";

const ENVELOPES = ["tool.start", "tool.end"].map((type, sequence) => ({
  ...{
    id: String(sequence),
    sequence,
    traceId: "t",
    sessionId: "s",
    tenantId: "t",
    source: "runtime" as const,
  },
  timestamp: `2026-11-26T10:00:0${sequence}.000Z`,
  event: { type, toolCallId: "c", toolName: "search" },
}));

/** A source on this machine that provides traces when the test releases them, and counts the requests. */
function controlled(concurrentReads = Number.POSITIVE_INFINITY) {
  const requested: string[] = [];
  const gates = new Map<string, Promise<void>>();
  const source: InspectorDataSource = {
    concurrentReads,
    listSessions: async () => [],
    async loadTraceEnvelopes(_, sessionId) {
      requested.push(sessionId);
      await gates.get(sessionId);
      if (sessionId === "broken") throw new TypeError("odd");
      return structuredClone(ENVELOPES);
    },
    loadOrchestrationEvents: async () => [],
    loadOrchestrationState: async () => null,
    loadMessages: async () => [],
  };
  return { source: lift(source), requested, gates };
}

function session(sessionId: string, tokens = 0): ListedSession {
  const lastActive = "2026-11-26T10:00:01.000Z";
  return { tenantId: "t", sessionId, userId: "", lastActive, turns: 1, tokens, status: "idle" };
}

const toolsOf = (items: readonly ListedSession[]) => items.map(({ facts }) => facts?.tools);

it("gives what is known when the time is over, and reads a long session to its end for who asks again", async () => {
  const { source, requested, gates } = controlled();
  let open = () => {};
  gates.set("long", new Promise((resolve) => (open = resolve)));
  const reader = new SessionFactsReader();
  const some = [session("long"), session("short")];
  const { items, unread } = await reader.withFacts(source, some, 20, {});
  expect([toolsOf(items), unread]).toEqual([[undefined, undefined], 2]);
  open();
  const later = await reader.withFacts(source, some, 60_000, {});
  expect([toolsOf(later.items), later.unread]).toEqual([[["search"], ["search"]], 0]);
  expect(requested).toEqual(["long", "short"]);
});

it("does not read a session that goes on for each answer, and says what it did before", async () => {
  const { source, requested } = controlled();
  const reader = new SessionFactsReader();
  await reader.withFacts(source, [session("s", 1)], 60_000, {});
  const { items, unread } = await reader.withFacts(source, [session("s", 2)], 60_000, {});
  expect([toolsOf(items), unread, requested]).toEqual([[["search"]], 0, ["s"]]);
});

it("says of a session that cannot be read why, and reads the others", async () => {
  const { source } = controlled();
  const some = [session("broken"), session("s")];
  const { items, unread, warnings } = await new SessionFactsReader().withFacts(source, some, 60_000, {});
  expect([toolsOf(items), unread]).toEqual([[undefined, ["search"]], 0]);
  expect(warnings).toEqual([{ file: "t/broken", line: 1, reason: expect.stringContaining("odd") }]);
});

it("reads nothing of a store over a network", async () => {
  const { source, requested } = controlled(8);
  const { items, unread } = await new SessionFactsReader().withFacts(source, [session("s")], 60_000, {});
  expect([toolsOf(items), unread, requested]).toEqual([[undefined], 0, []]);
});
