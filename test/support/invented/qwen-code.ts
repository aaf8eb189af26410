import { answer, call, chain, result, user } from "../../qwen-code/support/homes.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const PROJECT = "projects/-srv-shop";

export const QWEN_CODE: InventedHistory = {
  kind: "qwen-code",
  inside: ["projects", PROJECT],
  files: {
    [`${PROJECT}/chats/count.jsonl`]:
      chain(
        user("u1", 1, STORY.first),
        answer("a1", 3, [call("c1")]),
        result("r1", 4, "c1", { output: "1 2 3 4 5 6 7" }),
        answer("a2", 6, [{ text: STORY.seven }]),
      ) +
      TORN +
      chain(
        user("u2", 8, STORY.second, { parentUuid: "a2" }),
        answer("a3", 10, [call("c2")]),
        result("r2", 11, "c2", { error: "No such file" }, { status: "error" }),
        answer("a4", 13, [{ text: STORY.none }]),
      ),
    [`${PROJECT}/chats/delegate.jsonl`]: chain(
      user("u3", 1, STORY.delegated),
      answer("a5", 3, [call("c3", "agent", { prompt: STORY.task })]),
      result("r3", 8, "c3", { output: STORY.three }),
      answer("a6", 10, [{ text: STORY.three }]),
    ),
    [`${PROJECT}/subagents/delegate/agent-worker-c3.jsonl`]: chain(
      user("u4", 4, STORY.task),
      answer("a7", 6, [{ text: STORY.three }]),
    ),
  },
  sessions: [
    {
      tenantId: "-srv-shop",
      sessionId: "count",
      title: STORY.first,
      model: "qwen-x",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // Each call reads 1,000 tokens, 500 of them cached, and writes 10 with one of thoughts.
      calls: 4,
      tokens: [2_000, 40, 2_000, 0],
      tools: { ls: 2 },
      failedTools: 1,
      errors: 1,
      messages: 8,
      warnings: ["-srv-shop/chats/count.jsonl:5"],
    },
    {
      tenantId: "-srv-shop",
      sessionId: "delegate",
      title: STORY.delegated,
      model: "qwen-x",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [1_500, 30, 1_500, 0],
      tools: { agent: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["worker-c3"],
      messages: 4,
    },
  ],
};
