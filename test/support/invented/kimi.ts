import { lines } from "../history-files.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const START = Date.UTC(2026, 7, 1, 9);
const at = (second: number) => ({ time: START + second * 1_000 });

const METADATA = { type: "metadata", protocol_version: "1.4", created_at: START };
const USED = { inputOther: 60, inputCacheRead: 40, inputCacheCreation: 0, output: 10 };

const event = (second: number, type: string, more: object) => ({
  type: "context.append_loop_event",
  event: { type, ...more },
  ...at(second),
});

function prompt(second: number, text: string, origin: object = { kind: "user" }): object[] {
  const content = [{ type: "text", text }];
  return [
    { type: "turn.prompt", input: content, origin, ...at(second) },
    {
      type: "context.append_message",
      message: { role: "user", content, toolCalls: [], origin },
      ...at(second),
    },
  ];
}

function step(second: number, answer: string | readonly object[]): object[] {
  const stepUuid = `step-${second}`;
  const text = event(second + 1, "content.part", { stepUuid, part: { type: "text", text: answer } });
  return [
    event(second, "step.begin", { uuid: stepUuid }),
    { type: "llm.request", kind: "loop", model: "kimi-k2.7", ...at(second) },
    ...(typeof answer === "string" ? [text] : answer),
    event(second + 2, "step.end", { uuid: stepUuid, finishReason: "end_turn", usage: USED }),
    { type: "usage.record", model: "kimi-k2.7", usage: USED, usageScope: "turn", ...at(second + 2) },
  ];
}

const call = (second: number, toolCallId: string, name: string, args: object) =>
  event(second, "tool.call", { stepUuid: `step-${second - 1}`, toolCallId, name, args });

const result = (second: number, toolCallId: string, output: string, isError = false) =>
  event(second, "tool.result", { toolCallId, result: isError ? { output, isError } : { output } });

const ended = (second: number) => ({ type: "turn.ended", reason: "completed", ...at(second) });

const [COUNT, DELEGATE] = ["wd_shop_1/session_count", "wd_shop_1/session_delegate"];

export const KIMI: InventedHistory = {
  kind: "kimi",
  inside: ["sessions", "sessions/wd_shop_1"],
  files: {
    [`sessions/${COUNT}/state.json`]: JSON.stringify({ title: "Books and shelves", workDir: "/srv/shop" }),
    [`sessions/${COUNT}/agents/main/wire.jsonl`]:
      lines(
        METADATA,
        ...prompt(0, STORY.first),
        ...step(1, [call(2, "Bash_0", "Bash", { command: "ls books" })]),
        result(4, "Bash_0", "1 2 3 4 5 6 7"),
        ...step(5, STORY.seven),
        ended(8),
      ) +
      TORN +
      lines(
        ...prompt(10, STORY.second),
        ...step(11, [call(12, "Bash_1", "Bash", { command: "ls shelves" })]),
        result(14, "Bash_1", "No such file", true),
        ...step(15, STORY.none),
        ended(18),
      ),
    [`sessions/${DELEGATE}/agents/main/wire.jsonl`]: lines(
      METADATA,
      ...prompt(0, STORY.delegated),
      ...step(1, [call(2, "Agent_0", "Agent", { subagent_type: "explore", prompt: STORY.task })]),
      result(12, "Agent_0", `agent_id: agent-0\nstatus: completed\n\n${STORY.three}`),
      ...step(13, STORY.three),
      ended(16),
    ),
    [`sessions/${DELEGATE}/agents/agent-0/wire.jsonl`]: lines(
      METADATA,
      ...prompt(4, STORY.task, { kind: "system_trigger", name: "subagent" }),
      ...step(5, STORY.three),
    ),
  },
  sessions: [
    {
      tenantId: "-srv-shop",
      sessionId: "count",
      title: "Books and shelves",
      model: "kimi-k2.7",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // Each step counts 60 + 40 + 10 tokens; `usage.record` repeats them.
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { Bash: 2 },
      failedTools: 1,
      errors: 1,
      messages: 8,
      warnings: [`${COUNT}/agents/main/wire.jsonl:16`],
    },
    {
      tenantId: "wd_shop_1",
      sessionId: "delegate",
      title: STORY.delegated,
      model: "kimi-k2.7",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [180, 30, 120, 0],
      tools: { Agent: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["agent-0"],
      messages: 4,
    },
  ],
};
