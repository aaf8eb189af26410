import { lines } from "../history-files.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

/** Seconds after nine o'clock. */
const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 9) + second * 1_000).toISOString();

const text = (value: string) => [{ type: "text", text: value }];
const use = (id: string, name: string, command: string) => [
  { type: "tool_use", id, name, input: { command } },
];
const result = (id: string, content: string, more: object = {}) => [
  { type: "tool_result", tool_use_id: id, content, ...more },
];

/** None of these formats counts tokens. */
const COUNTED = {
  title: STORY.first,
  model: undefined,
  lastAnswer: STORY.none,
  calls: 4,
  tokens: undefined,
  failedTools: 1,
  errors: 1,
  messages: 8,
} as const;

const message = (second: number, role: string, content: readonly object[]) => ({
  type: "message",
  id: `m${second}`,
  parentId: `m${second - 1}`,
  timestamp: at(second),
  message: { role, content },
});

export const DROID: InventedHistory = {
  kind: "droid",
  files: {
    "-srv-shop/count.jsonl":
      lines(
        { type: "session_start", id: "count", title: STORY.first, cwd: "/srv/shop", version: "0.81.0" },
        message(1, "user", text(STORY.first)),
        message(2, "assistant", use("c1", "Execute", "ls books")),
        message(3, "user", result("c1", "1 2 3 4 5 6 7")),
        message(4, "assistant", text(STORY.seven)),
      ) +
      TORN +
      lines(
        message(5, "user", text(STORY.second)),
        message(6, "assistant", use("c2", "Execute", "ls shelves")),
        message(7, "user", result("c2", "Error: Command failed (exit code: 1)\nNo such file")),
        message(8, "assistant", text(STORY.none)),
      ),
  },
  sessions: [
    {
      ...COUNTED,
      tenantId: "-srv-shop",
      sessionId: "count",
      turns: ["completed", "completed"],
      tools: { Execute: 2 },
      warnings: ["count.jsonl:6"],
    },
  ],
};

const step = (index: number, source: string, type: string, more: object) => ({
  step_index: index,
  source,
  type,
  status: "DONE",
  created_at: at(index),
  ...more,
});
const list = (index: number) =>
  step(index, "MODEL", "PLANNER_RESPONSE", { tool_calls: [{ name: "list_dir", args: { path: '"/srv"' } }] });
const userInput = (index: number, prompt: string, more = "") =>
  step(index, "USER_EXPLICIT", "USER_INPUT", {
    content: `<USER_REQUEST>\n${prompt}\n</USER_REQUEST>\n${more}`,
  });

export const ANTIGRAVITY: InventedHistory = {
  kind: "antigravity",
  files: {
    "brain/count/log.jsonl":
      lines(
        userInput(
          0,
          STORY.first,
          "The user changed setting `Model Selection` from None to Gemini 3.5 Flash.",
        ),
        list(1),
        step(2, "MODEL", "LIST_DIRECTORY", { content: "1 2 3 4 5 6 7" }),
        step(3, "MODEL", "PLANNER_RESPONSE", { content: STORY.seven }),
      ) +
      TORN +
      lines(
        userInput(4, STORY.second),
        list(5),
        step(6, "MODEL", "LIST_DIRECTORY", { content: "No such file" }),
        step(7, "MODEL", "PLANNER_RESPONSE", { content: STORY.none }),
      ),
  },
  sessions: [
    {
      ...COUNTED,
      tenantId: "count",
      sessionId: "count",
      turns: ["completed", "completed"],
      tools: { list_dir: 2 },
      failedTools: 0,
      errors: 0,
      warnings: ["count/log.jsonl:5"],
    },
  ],
};

export const CLINE: InventedHistory = {
  kind: "cline",
  files: {
    "tasks/1777626000000/api_conversation_history.json": JSON.stringify([
      { role: "user", content: `<task>\n${STORY.first}\n</task>` },
      { role: "assistant", content: use("c1", "execute_command", "ls books") },
      { role: "user", content: result("c1", "1 2 3 4 5 6 7") },
      { role: "assistant", content: text(STORY.seven) },
      "a message that is no object",
      { role: "user", content: text(STORY.second) },
      { role: "assistant", content: use("c2", "execute_command", "ls shelves") },
      { role: "user", content: result("c2", "No such file", { is_error: true }) },
      { role: "assistant", content: text(STORY.none) },
    ]),
  },
  sessions: [
    {
      ...COUNTED,
      tenantId: "tasks",
      sessionId: "1777626000000",
      turns: ["completed", "completed"],
      tools: { execute_command: 2 },
      warnings: ["1777626000000/api_conversation_history.json:5"],
    },
  ],
};
