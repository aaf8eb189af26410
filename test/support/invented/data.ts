import { lines } from "../history-files.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const START = Date.UTC(2026, 4, 1, 9);

const SESSION = "tenants/acme/sessions/count";

const envelopes = (first: number, ...events: readonly object[]) =>
  lines(
    ...events.map((event, i) => ({
      id: `e${first + i}`,
      timestamp: new Date(START + (first + i) * 1_000).toISOString(),
      sequence: first + i,
      source: "runtime",
      sessionId: "count",
      tenantId: "acme",
      traceId: "main",
      event,
    })),
  );

const USAGE = { inputTokens: 60, outputTokens: 10, cacheReadTokens: 40, cacheWriteTokens: 0 };

const turn = (turnIndex: number, input: string, answer: string, failure: object = {}) => [
  { type: "turn.start", turnIndex, input },
  { type: "llm.start", callId: `m${turnIndex}`, model: "m" },
  { type: "llm.end", callId: `m${turnIndex}`, usage: USAGE },
  { type: "tool.start", toolCallId: `c${turnIndex}`, toolName: "look", input: {} },
  { type: "tool.end", toolCallId: `c${turnIndex}`, toolName: "look", output: "1 2 3", ...failure },
  { type: "llm.start", callId: `n${turnIndex}`, model: "m" },
  { type: "text", text: answer },
  { type: "llm.end", callId: `n${turnIndex}`, usage: USAGE },
  { type: "turn.end", turnIndex, outcome: "completed" },
];

const TWICE = { inputTokens: 120, outputTokens: 20, cacheReadTokens: 80, cacheWriteTokens: 0 };

const totals = (turnIndex: number, second: number, lastAnswer: string, errors = 0) => ({
  type: "turn",
  turnIndex,
  ...TWICE,
  ...{ updatedAt: START + second * 1_000, turns: 1, errors, model: "m", prompt: STORY.first, lastAnswer },
  usageByModel: [
    { model: "m", at: START + (second - 4) * 1_000, contextTokens: 100, calls: 2, usage: TWICE },
  ],
});

export const DATA: InventedHistory = {
  kind: "data",
  // The report reads what the list reads, and that reads no trace.
  problems: 0,
  files: {
    [`${SESSION}/session.jsonl`]: lines(
      { type: "init", sessionId: "count", tenantId: "acme", userId: "ada", createdAt: START, errors: 0 },
      { type: "update", title: STORY.first, updatedAt: START },
      totals(0, 9, STORY.seven),
      totals(1, 18, STORY.none, 1),
    ),
    [`${SESSION}/trace/events.jsonl`]:
      envelopes(0, ...turn(0, STORY.first, STORY.seven)) +
      TORN +
      envelopes(9, ...turn(1, STORY.second, STORY.none, { isError: true })),
    [`${SESSION}/messages.jsonl`]: lines(
      { role: "user", content: STORY.first },
      { role: "assistant", content: STORY.seven },
      { role: "user", content: STORY.second },
      { role: "assistant", content: STORY.none },
    ),
  },
  sessions: [
    {
      tenantId: "acme",
      sessionId: "count",
      title: STORY.first,
      model: "m",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // The sum of the two `turn` records.
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { look: 2 },
      failedTools: 1,
      errors: 1,
      messages: 4,
      warnings: ["trace/events.jsonl:10"],
    },
  ],
};
