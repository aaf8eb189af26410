import path from "node:path";
import { at, HistoryDatabase, text, tool } from "../../opencode/support/databases.js";
import { type InventedHistory, STORY } from "./history.js";

/** Input is uncached. */
const USED = { tokens: { input: 60, output: 8, reasoning: 2, cache: { read: 40, write: 0 } } };

function write(folder: string): void {
  const history = new HistoryDatabase(path.join(folder, "opencode.db"));
  history.session("count", { title: "Books and shelves" });
  history.prompt("count", 0, STORY.first);
  history.answer("count", 1, [tool("c1", 5)], USED);
  const answer = history.answer("count", 12, [text(STORY.seven)], USED);
  history.part("count", answer, 22, "no JSON");
  history.prompt("count", 30, STORY.second);
  history.answer("count", 32, [tool("c2", 36, { status: "error", error: "No such file" })], USED);
  history.answer("count", 43, [text(STORY.none)], USED);
  history.session("delegate");
  history.prompt("delegate", 0, STORY.delegated);
  const spawned = { input: { prompt: STORY.task }, metadata: { sessionId: "pens" }, output: STORY.three };
  history.answer("delegate", 1, [tool("c3", 5, spawned, { tool: "task" })], USED);
  history.answer("delegate", 30, [text(STORY.three)], USED);
  history.session("pens", { parent_id: "delegate", agent: "general" });
  history.prompt("pens", 6, STORY.task);
  history.answer("pens", 7, [text(STORY.three)], USED);
  history.close();
}

const info = (id: string, role: string, second: number, more: object = {}) =>
  JSON.stringify({ id, sessionID: "older", role, time: { created: at(second) }, ...more });
const part = (id: string, messageID: string, value: string) =>
  JSON.stringify({ id, messageID, sessionID: "older", ...text(value) });

export const OPENCODE: InventedHistory = {
  kind: "opencode",
  write,
  // Layout of older versions.
  files: {
    "storage/session/p/older.json": JSON.stringify({
      id: "older",
      projectID: "p",
      directory: "/srv/shop",
      title: "Pens",
      version: "1.0.100",
      time: { created: at(0), updated: at(9) },
    }),
    "storage/message/older/m1.json": info("m1", "user", 0),
    "storage/message/older/m2.json": info("m2", "assistant", 2, { modelID: "m", finish: "stop", ...USED }),
    "storage/part/m1/p1.json": part("p1", "m1", STORY.task),
    "storage/part/m2/p2.json": part("p2", "m2", STORY.three),
  },
  sessions: [
    {
      tenantId: "-srv-shop",
      sessionId: "count",
      title: "Books and shelves",
      model: "m",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { bash: 2 },
      failedTools: 1,
      errors: 1,
      // Two prompts and four answers. A part that is no JSON gives no warning.
      messages: 6,
    },
    {
      tenantId: "-srv-shop",
      sessionId: "delegate",
      title: "About delegate",
      model: "m",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [180, 30, 120, 0],
      tools: { task: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["pens"],
      messages: 3,
    },
    {
      tenantId: "-srv-shop",
      sessionId: "older",
      title: "Pens",
      model: "m",
      lastAnswer: STORY.three,
      turns: ["completed"],
      calls: 1,
      tokens: [60, 10, 40, 0],
      tools: {},
      failedTools: 0,
      errors: 0,
      messages: 2,
    },
  ],
};
