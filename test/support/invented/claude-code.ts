import { at, lines, uuid } from "../../claude-code/support/projects.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const PROJECT = "-home-ada-shop";
const [COUNT, DELEGATE] = [uuid(1), uuid(2)];

const idOf = (sessionId: string, number: number) => `${sessionId.slice(-1)}${uuid(number).slice(1)}`;

/** The number is also the second of the record. By default its parent has the previous number. */
function record(sessionId: string, number: number, type: string, more: object): object {
  const context = { cwd: "/home/ada/shop", version: "2.1.331", gitBranch: "main", userType: "external" };
  const parentUuid = number === 1 ? null : idOf(sessionId, number - 1);
  const order = { uuid: idOf(sessionId, number), parentUuid, timestamp: at(number) };
  return { ...order, isSidechain: false, sessionId, ...context, type, ...more };
}

const user = (sessionId: string, number: number, content: unknown, more: object = {}) =>
  record(sessionId, number, "user", { message: { role: "user", content }, ...more });

function assistant(sessionId: string, number: number, block: object, more: object = {}) {
  const usage = { input_tokens: 60, cache_read_input_tokens: 40, cache_creation_input_tokens: 0 };
  const message = {
    id: `msg_${sessionId.slice(-1)}${number}`,
    role: "assistant",
    model: "claude-sonnet-4-6",
    content: [block],
    stop_reason: "type" in block && block.type === "tool_use" ? "tool_use" : "end_turn",
    usage: { ...usage, output_tokens: 10 },
  };
  return record(sessionId, number, "assistant", { message, ...more });
}

const text = (value: string) => ({ type: "text", text: value });
const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: string, isError = false) => [
  { type: "tool_result", tool_use_id: id, content, ...(isError ? { is_error: true } : {}) },
];

const OF_AGENT = { isSidechain: true, agentId: "a1" };

export const CLAUDE_CODE: InventedHistory = {
  kind: "claude-code",
  files: {
    [`${PROJECT}/${COUNT}.jsonl`]:
      lines(
        user(COUNT, 1, STORY.first),
        assistant(COUNT, 2, use("t1", "Bash", { command: "ls books" })),
        user(COUNT, 3, result("t1", "1 2 3 4 5 6 7")),
        assistant(COUNT, 4, text(STORY.seven)),
      ) +
      TORN +
      lines(
        user(COUNT, 5, STORY.second),
        assistant(COUNT, 6, use("t2", "Bash", { command: "ls shelves" })),
        user(COUNT, 7, result("t2", "ls: shelves: No such file or directory", true)),
        assistant(COUNT, 8, text(STORY.none)),
      ),
    [`${PROJECT}/${DELEGATE}.jsonl`]: lines(
      user(DELEGATE, 1, STORY.delegated),
      assistant(DELEGATE, 2, use("t3", "Agent", { description: "Pens", prompt: STORY.task })),
      user(DELEGATE, 6, result("t3", STORY.three), {
        parentUuid: idOf(DELEGATE, 2),
        toolUseResult: { agentId: "a1", status: "completed" },
      }),
      assistant(DELEGATE, 7, text(STORY.three)),
    ),
    [`${PROJECT}/${DELEGATE}/subagents/agent-a1.jsonl`]: lines(
      user(DELEGATE, 3, STORY.task, { ...OF_AGENT, parentUuid: null }),
      assistant(DELEGATE, 4, text(STORY.three), OF_AGENT),
    ),
    [`${PROJECT}/${DELEGATE}/subagents/agent-a1.meta.json`]: '{"agentType":"Explore","toolUseId":"t3"}\n',
  },
  sessions: [
    {
      tenantId: PROJECT,
      sessionId: COUNT,
      title: STORY.first,
      model: "claude-sonnet-4-6",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // Lines 2, 4, 7 and 9: 60 + 40 + 10 tokens each.
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { Bash: 2 },
      failedTools: 1,
      errors: 1,
      messages: 8,
      warnings: [`${COUNT}.jsonl:5`],
    },
    {
      tenantId: PROJECT,
      sessionId: DELEGATE,
      title: STORY.delegated,
      model: "claude-sonnet-4-6",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [180, 30, 120, 0],
      tools: { Agent: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["a1"],
      messages: 4,
    },
  ],
};
