import {
  answered,
  called,
  completed,
  counted,
  event,
  item,
  lines,
  meta,
  prompted,
  type Rec,
  rolloutOf,
  said,
  started,
  TENANT,
} from "../../codex/support/homes.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const context = (turn: string): Rec => ["turn_context", { turn_id: turn, model: "gpt-5.5" }];

/** Each call reads 100 tokens, 40 of them from a cache, and writes 10. */
const total = (calls: number): Rec => counted(100 * calls, 40 * calls, 10 * calls, [100, 40, 10]);

const run = (id: string, command: string, exitCode: number, output: string): Rec[] => [
  called(id, "exec_command", { cmd: command }),
  answered(
    id,
    `Chunk ID: 1\nWall time: 0.5 seconds\nProcess exited with code ${exitCode}\nOutput:\n${output}\n`,
  ),
];

const answer = (turn: string, text: string, calls: number): Rec[] => [
  said("assistant", text),
  total(calls),
  completed(turn, text),
];

const [LIST, LOOK] = [run("c1", "ls books", 0, "1 2 3 4 5 6 7"), run("c2", "ls shelves", 1, "No such file")];

export const CODEX: InventedHistory = {
  kind: "codex",
  inside: ["sessions", "sessions/2026/07"],
  files: {
    [rolloutOf("count")]:
      lines([
        meta("count"),
        started("t1"),
        context("t1"),
        ...prompted(STORY.first),
        LIST[0]!,
        total(1),
        LIST[1]!,
        ...answer("t1", STORY.seven, 2),
      ]) +
      TORN +
      lines(
        [
          started("t2"),
          context("t2"),
          ...prompted(STORY.second),
          LOOK[0]!,
          total(3),
          LOOK[1]!,
          ...answer("t2", STORY.none, 4),
        ],
        20,
      ),
    [rolloutOf("delegate")]: lines([
      meta("delegate"),
      started("t3"),
      context("t3"),
      ...prompted(STORY.delegated),
      called("c3", "spawn_agent", { task_name: "pens", message: STORY.task, agent_type: "counter" }),
      total(1),
      event("sub_agent_activity", { event_id: "c3", agent_thread_id: "pens", kind: "started" }),
      answered("c3", '{"task_name":"/root/pens"}'),
      ...answer("t3", STORY.three, 2),
    ]),
    [rolloutOf("pens", "2026/07/01", "10-00-30")]: lines(
      [
        meta("pens", { parent_thread_id: "delegate", agent_role: "counter", agent_nickname: "Ada" }),
        started("t4"),
        item("agent_message", {
          author: "/root",
          recipient: "/root/pens",
          content: [{ type: "input_text", text: STORY.task }],
        }),
        ...answer("t4", STORY.three, 1),
      ],
      5,
    ),
  },
  sessions: [
    {
      tenantId: TENANT,
      sessionId: "count",
      title: STORY.first,
      model: "gpt-5.5",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // The last totals are 400 input, 160 of them cached, and 40 output.
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { exec_command: 2 },
      failedTools: 1,
      errors: 1,
      // Of each turn a prompt, a call, its output and an answer.
      messages: 8,
      warnings: ["2026/07/01/rollout-2026-07-01T10-00-00-count.jsonl:12"],
    },
    {
      tenantId: TENANT,
      sessionId: "delegate",
      title: STORY.delegated,
      model: "gpt-5.5",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [180, 30, 120, 0],
      tools: { spawn_agent: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["pens"],
      messages: 4,
    },
  ],
};
