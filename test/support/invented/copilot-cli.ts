import {
  answered,
  asking,
  begun,
  ended,
  eventsOf,
  happens,
  lines,
  prompted,
  shutDown,
  started,
} from "../../copilot-cli/support/homes.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const COUNTED = [
  started("count"),
  prompted(1, STORY.first),
  answered(4, "a1", "", asking("c1", "bash", { command: "ls books" })),
  begun(5, "c1", "bash", { command: "ls books" }),
  ended(6, "c1", "1 2 3 4 5 6 7"),
  answered(9, "a2", STORY.seven),
  prompted(11, STORY.second),
  answered(14, "a3", "", asking("c2", "bash", { command: "ls shelves" })),
  begun(15, "c2", "bash", { command: "ls shelves" }),
  ended(16, "c2", "", { success: false, error: { message: "No such file" } }),
  answered(19, "a4", STORY.none),
  shutDown(20, {
    "gpt-a": { inputTokens: 400, cacheReadTokens: 160, outputTokens: 40, cacheWriteTokens: 0 },
  }),
];

function tornAfter(count: number, text: string): string {
  const records = text.split("\n");
  return `${records.slice(0, count).join("\n")}\n${TORN}${records.slice(count).join("\n")}`;
}

export const COPILOT_CLI: InventedHistory = {
  kind: "copilot-cli",
  inside: ["session-state"],
  files: {
    [eventsOf("count")]: tornAfter(12, lines(...COUNTED)),
    "session-state/count/workspace.yaml": "id: count\nname: Books and shelves\n",
    [eventsOf("delegate")]: lines(
      started("delegate"),
      prompted(1, STORY.delegated),
      answered(4, "a5", "", asking("c3", "task", { agent_type: "explore", prompt: STORY.task })),
      begun(5, "c3", "task", { agent_type: "explore", prompt: STORY.task }),
      happens(
        5,
        "subagent.started",
        { toolCallId: "c3", agentName: "explore", agentDisplayName: "Explore" },
        "c3",
      ),
      answered(8, "a6", STORY.three, {}, undefined, "c3"),
      happens(9, "subagent.completed", { toolCallId: "c3", agentName: "explore" }, "c3"),
      ended(9, "c3", STORY.three),
      answered(12, "a7", STORY.three),
    ),
  },
  sessions: [
    {
      tenantId: "-home-ada-shop",
      sessionId: "count",
      title: "Books and shelves",
      model: "gpt-a",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // The totals of `session.shutdown` say the same.
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { bash: 2 },
      failedTools: 1,
      errors: 1,
      messages: 8,
      warnings: ["count/events.jsonl:13"],
    },
    {
      tenantId: "-home-ada-shop",
      sessionId: "delegate",
      title: STORY.delegated,
      model: "gpt-a",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [180, 30, 120, 0],
      tools: { task: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["c3"],
      messages: 4,
    },
  ],
};
