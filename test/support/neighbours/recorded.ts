import { COPY, type Lines } from "./plant.js";

export const LOG = "session.jsonl";
export const MESSAGES = "messages.jsonl";
export const TRACE = "trace/events.jsonl";
export const ORCHESTRATION = "orchestration/events.jsonl";
const CHECKPOINT = "orchestration/checkpoint.json";

const NOON = Date.UTC(2026, 0, 15, 12);
const at = (second: number) => new Date(NOON + second * 1_000).toISOString();

export function recordedSession(tenantId: string, sessionId: string, text: string): Lines {
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 4 };
  const model = "claude-sonnet-4-5";
  const call = { callId: `c${COPY}`, model };
  const tool = { toolCallId: `t${COPY}`, toolName: "read_file" };
  const events: readonly object[] = [
    { type: "session.start", cwd: "/home/ada/shop", model },
    { type: "turn.start", turnIndex: 0, input: `Where is the ${text}?` },
    { type: "llm.start", ...call, messages: [{ role: "user", content: `Where is the ${text}?` }] },
    {
      type: "llm.end",
      ...call,
      usage,
      stopReason: "tool_use",
      costUsd: 0.5,
      output: [{ type: "text", text: "I look." }],
    },
    { type: "tool.start", ...tool, input: { path: `${text}.ts`, limit: 5 } },
    { type: "tool.end", ...tool, output: `no such ${text}`, isError: true, durationMs: 20 },
    { type: "text", text: `The ${text} is not there.` },
    { type: "compaction.start", trigger: "auto", tokensBefore: 500 },
    { type: "compaction.end", tokensAfter: 50, summary: `All of the ${text}` },
    { type: "llm.start", callId: `d${COPY}`, model, agentId: `a${COPY}` },
    { type: "llm.end", callId: `d${COPY}`, model, agentId: `a${COPY}`, usage },
    { type: "error", error: { message: "The connection was lost", type: "network" } },
    { type: "turn.end", turnIndex: 0, outcome: "completed" },
  ];
  const envelopes = events.map((event, sequence) => ({
    id: `e${COPY}-${sequence}`,
    timestamp: at(sequence),
    sequence,
    source: "runtime",
    sessionId,
    tenantId,
    traceId: "t1",
    event,
  }));
  const lives: readonly object[] = [
    {
      type: "agent_spawned",
      agent: { id: `a${COPY}`, role: "reader", parentAgentId: "b", task: `Read the ${text}` },
    },
    {
      type: "agent_job_completed",
      agentId: `a${COPY}`,
      job: { jobId: "j", outputText: `The ${text}.`, tokens: 5 },
    },
    { type: "agent_closed", close: { agentId: `a${COPY}`, reason: "done" } },
  ];
  const orchestration = lives.map((life, i) => ({
    eventId: `o${COPY}-${i}`,
    occurredAt: at(20 + i),
    runId: "r",
    ...life,
  }));
  const log = [
    {
      type: "init",
      sessionId,
      tenantId,
      userId: "ada",
      agentId: "analyst",
      title: `The ${text}`,
      createdAt: NOON,
      errors: 0,
    },
    {
      type: "turn",
      turnIndex: 0,
      ...usage,
      errors: 1,
      model,
      prompt: `Where is the ${text}?`,
      updatedAt: NOON + 30_000,
    },
    { type: "update", title: `About the ${text}`, lastAnswer: "It is not there.", updatedAt: NOON + 31_000 },
  ];
  const messages = [
    { role: "user", content: `Where is the ${text}?` },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `t${COPY}`, name: "read_file", input: { path: `${text}.ts` } }],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: `t${COPY}`, content: `no such ${text}`, is_error: true }],
    },
    { role: "assistant", content: [{ type: "text", text: `The ${text} is not there.` }] },
  ];
  return {
    [LOG]: texts(log),
    [MESSAGES]: texts(messages),
    [TRACE]: texts(envelopes),
    [ORCHESTRATION]: texts(orchestration),
    [CHECKPOINT]: texts([
      { agents: { b: { id: "b", role: "writer", status: "idle" } }, runs: {}, queuedInputs: [] },
    ]),
  };
}

const texts = (records: readonly object[]) => records.map((record) => JSON.stringify(record));
