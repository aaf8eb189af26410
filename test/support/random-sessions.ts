import fc from "fast-check";
import type { SessionStore } from "../../src/index.js";

/** The clock during a reading: the instants of sessions lie around it. */
export const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
/** The last instant that counts as recorded, and two that do not: the year 0 and the year 9999. */
const LAST = Date.UTC(9998, 11, 31, 23, 59, 59, 999);
const UNRECORDED = [Date.UTC(-1, 12), LAST + 1];

/** Characters that sort, fold or store in special ways: astral ones, private ones, NUL, capitals without a pair. */
const characters = fc.constantFrom(
  ..."aAbBßİσΣς%_\\'é日",
  "\u{1F99C}",
  "\uFFFD",
  "\uE000",
  "\uFDD0",
  "\uFDE5",
);
export const word = fc.array(characters, { maxLength: 4 }).map((parts) => parts.join(""));
const id = word.filter((text) => text !== "");
export const anyText = fc.oneof(word, fc.constantFrom("\0", "a\0b", "\uD83D", "\uDC00x"));
const instant = fc.oneof(
  fc.integer({ min: -8, max: 1 }).map((minutes) => NOW + minutes * MINUTE),
  fc.constantFrom(0, -1, NOW - 5 * MINUTE, NOW - 5 * MINUTE - 1, LAST, ...UNRECORDED),
);
const step = fc.record({
  type: fc.constantFrom(
    "turn.start",
    "turn.end",
    "run.start",
    "run.end",
    "error",
    "session.end",
    "tool.start",
    "tool.end",
    "input.waiting",
  ),
  toolCallId: fc.constantFrom("c1", "c2"),
  /** The first asks a person, and the second has its own time limit. */
  call: fc.constantFrom(
    { toolName: "ask_user", input: { question: '\0 "goesOnUntil":9e99' } },
    { toolName: "shell", input: { timeout_ms: 7 * MINUTE } },
    { prompt: "?" },
  ),
  outcome: fc.constantFrom("completed", "failed", undefined),
  traceId: fc.constantFrom("t1", "t2"),
  at: instant,
  isOrchestration: fc.boolean(),
});
export const session = fc.record({
  tenantId: fc.constantFrom("acme", "Acme", "\u{1F99C}", "\uFFFD"),
  sessionId: id,
  userId: anyText,
  title: fc.option(anyText, { nil: undefined }),
  createdAt: instant,
  steps: fc.array(step, { maxLength: 4 }),
  turns: fc.array(fc.record({ tokens: fc.nat(), at: instant }), { maxLength: 2 }),
});
export type RandomSession = typeof session extends fc.Arbitrary<infer T> ? T : never;

export async function write(target: SessionStore, { steps, turns, ...start }: RandomSession): Promise<void> {
  await target.openSession(start);
  const NO_TOKENS = { outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for (const [turnIndex, { tokens, at }] of turns.entries()) {
    await target.appendTurn(start, { turnIndex, inputTokens: tokens, ...NO_TOKENS, updatedAt: at });
  }
  for (const [i, { at, traceId, isOrchestration, call, ...step }] of steps.entries()) {
    const event = { ...step, ...call };
    const timestamp = new Date(at).toISOString();
    if (isOrchestration) {
      const stored = { ...event, eventId: `e${i}`, occurredAt: timestamp, runId: traceId };
      await target.appendOrchestrationEvents(start, [stored]);
    } else {
      const source = "runtime" as const;
      const envelope = { ...start, id: `${i}`, timestamp, sequence: i, source, traceId, event };
      await target.appendTraceEnvelopes(start, [envelope]);
    }
  }
}
