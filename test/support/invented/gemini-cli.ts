import { document, gemini, header, lines, toolCall, user } from "../../gemini-cli/support/homes.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const CHATS = "tmp/shop/chats";

const run = (id: string, second: number, output: string, more: object = {}) => ({
  toolCalls: [toolCall(id, second, output, { name: "run_shell_command", args: { command: "ls" }, ...more })],
});

export const GEMINI_CLI: InventedHistory = {
  kind: "gemini-cli",
  inside: ["tmp", "tmp/shop", CHATS],
  files: {
    [`${CHATS}/session-count.jsonl`]:
      lines(
        header("count"),
        user("u1", 1, STORY.first),
        gemini("g1", 3, "", run("t1", 4, "1 2 3 4 5 6 7")),
        gemini("g2", 6, STORY.seven),
      ) +
      TORN +
      lines(
        user("u2", 8, STORY.second),
        gemini("g3", 10, "", run("t2", 11, "No such file", { status: "error" })),
        gemini("g4", 13, STORY.none),
      ),
    // The layout of older versions: one document.
    [`${CHATS}/session-older.json`]: document(header("older"), [
      user("u3", 1, STORY.task),
      gemini("g5", 3, STORY.three),
    ]),
    [`${CHATS}/session-row.jsonl`]: lines(
      header("row"),
      user("u4", 1, STORY.task),
      gemini("g6", 4, "One pen."),
      gemini("g7", 6, "Two pens."),
      gemini("g8", 7, STORY.three),
    ),
  },
  sessions: [
    {
      tenantId: "shop",
      sessionId: "count",
      title: STORY.first,
      model: "gemini-x",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // Each call reads 100 tokens, 40 of them cached, and writes 10 and 5 of thoughts.
      calls: 4,
      tokens: [240, 60, 160, 0],
      tools: { run_shell_command: 2 },
      failedTools: 1,
      errors: 1,
      // Two prompts and four answers, which hold the results.
      messages: 6,
      warnings: ["shop/chats/session-count.jsonl:5"],
    },
    {
      tenantId: "shop",
      sessionId: "older",
      title: STORY.task,
      model: "gemini-x",
      lastAnswer: STORY.three,
      turns: ["completed"],
      calls: 1,
      tokens: [60, 15, 40, 0],
      tools: {},
      failedTools: 0,
      errors: 0,
      messages: 2,
    },
    {
      // Three answers in a row, without input between them.
      tenantId: "shop",
      sessionId: "row",
      title: STORY.task,
      model: "gemini-x",
      lastAnswer: STORY.three,
      turns: ["completed"],
      calls: 3,
      tokens: [180, 45, 120, 0],
      tools: {},
      failedTools: 0,
      errors: 0,
      messages: 4,
    },
  ],
};
