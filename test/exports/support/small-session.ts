import { archiveLines } from "../../../src/application/export/archive-lines.js";
import { partNamed } from "../../../src/application/export/part-named.js";
import type { ExportWriter } from "../../../src/application/ports/export.js";
import type { SessionSnapshot } from "../../../src/application/ports/session-snapshot.js";
import { streamOf } from "../../../src/application/sources/record-streams.js";
import type { ListedSession } from "../../../src/domain/session/model-usage.js";
import { keysOfEnvelopes } from "../../../src/domain/trace/trace-sequence-merge.js";
import { handMadeSnapshot } from "../../support/hand-made-source.js";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const usage = { inputTokens: 1_000, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };

const call = (callId: string, messageId: string, agent = {}) => [
  { type: "llm.start", callId, model: "claude-sonnet-4-5", messageId, ...agent },
  { type: "llm.end", callId, model: "claude-sonnet-4-5", messageId, usage, ...agent },
];

const SUB = { agentId: "sub" };

/** The id of each event is `e` and its index. */
export const EVENTS: readonly { readonly type: string; readonly [member: string]: unknown }[] = [
  { type: "session.start", cwd: "/shop", model: "claude-sonnet-4-5" },
  { type: "turn.start", turnIndex: 0, input: "What is in the cart?" },
  ...call("m1", "a1"),
  { type: "text", text: "It is empty." },
  { type: "turn.end", turnIndex: 0, outcome: "completed" },
  // 6
  { type: "turn.start", turnIndex: 1, input: "Mend the total." },
  ...call("m2", "a2"),
  {
    type: "tool.start",
    toolCallId: "t-edit",
    toolName: "Edit",
    input: { file_path: "/shop/total.ts", old_string: "sum + 1", new_string: "sum + price" },
  },
  { type: "tool.end", toolCallId: "t-edit", toolName: "Edit", output: "done" },
  ...call("m3", "a3"),
  // 13
  { type: "tool.start", toolCallId: "t-test", toolName: "Bash", input: { command: "npm test" } },
  { type: "tool.end", toolCallId: "t-test", toolName: "Bash", isError: true, output: "1 test failed" },
  ...call("m4", "a4"),
  { type: "tool.start", toolCallId: "t-task", toolName: "Task", input: { prompt: "Look at the tests." } },
  // 18: sub-agent
  { type: "turn.start", turnIndex: 0, input: "Look at the tests.", ...SUB },
  ...call("s1", "b1", SUB),
  { type: "text", text: "They are wrong.", ...SUB },
  { type: "turn.end", turnIndex: 0, outcome: "completed", ...SUB },
  // 23
  { type: "tool.end", toolCallId: "t-task", toolName: "Task", output: "They are wrong." },
  ...call("m5", "a5"),
  { type: "text", text: "The total is right now." },
  { type: "turn.end", turnIndex: 1, outcome: "completed" },
];

export const ENVELOPES = EVENTS.map((event, i) => ({
  id: `e${i}`,
  timestamp: at(i),
  sequence: i,
  source: "runtime" as const,
  sessionId: "s1",
  tenantId: "acme",
  traceId: "s1",
  event,
}));

const ORCHESTRATION = [
  {
    type: "agent_spawned",
    eventId: "o1",
    timestamp: at(17),
    toolCallId: "t-task",
    agent: { id: "sub", role: "tester" },
  },
  { type: "agent_closed", eventId: "o2", timestamp: at(23), agentId: "sub" },
];

const used = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: string, isError = false) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }],
});

export const MESSAGES = [
  { role: "user", content: "What is in the cart?" },
  { id: "a1", role: "assistant", content: "It is empty." },
  { role: "user", content: "Mend the total." },
  {
    id: "a2",
    role: "assistant",
    content: [
      used("t-edit", "Edit", {
        file_path: "/shop/total.ts",
        old_string: "sum + 1",
        new_string: "sum + price",
      }),
    ],
  },
  result("t-edit", "done"),
  { id: "a3", role: "assistant", content: [used("t-test", "Bash", { command: "npm test" })] },
  result("t-test", "1 test failed", true),
  { id: "a4", role: "assistant", content: [used("t-task", "Task", { prompt: "Look at the tests." })] },
  result("t-task", "They are wrong."),
  { id: "a5", role: "assistant", content: "The total is right now." },
];

const AGENT_MESSAGES = [
  { role: "user", content: "Look at the tests." },
  { id: "b1", role: "assistant", content: "They are wrong." },
];

export function smallSession(
  stored: readonly StoredEnvelope[] = ENVELOPES,
  messages = MESSAGES,
): SessionSnapshot {
  return handMadeSnapshot({
    trace: async () => ({ ...streamOf(stored), keys: keysOfEnvelopes(stored) }),
    messages: async (agentId) =>
      streamOf(agentId === undefined ? messages : agentId === "sub" ? AGENT_MESSAGES : []),
    orchestration: async () => ({ events: streamOf(ORCHESTRATION), state: async () => null }),
  });
}

type StoredEnvelope = (typeof ENVELOPES)[number];

export const LISTED: ListedSession = {
  tenantId: "acme",
  sessionId: "s1",
  userId: "ada",
  lastActive: at(27),
  turns: 2,
  tokens: 6_300,
  status: "idle",
  title: "Mend the total",
  directory: "/shop",
};

export async function written(
  write: ExportWriter["write"],
  only?: string,
  opened: Parameters<typeof archiveLines>[0] = [{ session: LISTED, snapshot: smallSession() }],
): Promise<string> {
  const lines = archiveLines(opened, {
    writer: "0.0.0",
    exportedAt: 0,
    part: only ?? null,
    choosePart: only === undefined ? undefined : partNamed(only),
    redaction: { removed: { "api key": 2 }, kept: 0 },
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of write(lines)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Members with references between records: other values would make another history. */
const KEPT = new Set([
  "type",
  "id",
  "timestamp",
  "source",
  "traceId",
  "toolCallId",
  "callId",
  "role",
  "tool_use_id",
  "messageId",
]);

/** Replaces only texts of the history itself. */
export function withTexts<Value>(value: Value, textOf: (text: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (name, member) =>
    typeof member === "string" && !KEPT.has(name) ? textOf(member) : member,
  );
}
