import { agent, call, result, text, trajectory, user } from "../../atif/support/histories.js";
import { type InventedHistory, STORY } from "./history.js";

const run = (step: number, id: string, output: string) =>
  agent(step, "", { tool_calls: [call(id)], observation: { results: [result(id, output)] } });

const helper = trajectory(
  undefined,
  [user(1, STORY.task), agent(2, STORY.three)],
  {},
  { trajectory_id: "pens" },
);

/** At list prices, reading alone would cost more. */
const paid = { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 40, cost_usd: 0.0001 };

export const ATIF: InventedHistory = {
  kind: "atif",
  files: {
    "job/count/agent/trajectory.json": text(
      trajectory("count", [
        user(1, STORY.first),
        run(2, "c1", "1 2 3 4 5 6 7"),
        agent(3, STORY.seven),
        user(4, STORY.second),
        run(5, "c2", "No such file"),
        "a step that is no object",
        agent(6, STORY.none),
      ]),
    ),
    "job/delegate/agent/trajectory.json": text(
      trajectory(
        "delegate",
        [
          user(1, STORY.delegated),
          agent(2, "", {
            tool_calls: [call("c3", "delegate")],
            observation: {
              results: [result("c3", STORY.three, { subagent_trajectory_ref: [{ trajectory_id: "pens" }] })],
            },
          }),
          agent(3, STORY.three),
        ],
        { subagent_trajectories: [helper] },
      ),
    ),
    "job/paid/agent/trajectory.json": text(
      trajectory("paid", [
        user(1, STORY.task),
        agent(2, STORY.three, { model_name: "claude-sonnet-4-5", metrics: paid }),
      ]),
    ),
  },
  sessions: [
    {
      tenantId: "job",
      sessionId: "count",
      // The name of the trial's folder.
      title: "count",
      model: "model-x",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // Each call reads 100 tokens, 40 of them cached, and writes 10.
      calls: 4,
      tokens: [240, 40, 160, 0],
      // A trajectory has no member for the failure of a tool.
      tools: { ls: 2 },
      failedTools: 0,
      errors: 0,
      messages: 6,
      warnings: ["count/agent/trajectory.json:7"],
    },
    {
      tenantId: "job",
      sessionId: "delegate",
      title: "delegate",
      model: "model-x",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [180, 30, 120, 0],
      tools: { delegate: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["pens"],
      messages: 3,
    },
    {
      tenantId: "job",
      sessionId: "paid",
      title: "paid",
      model: "claude-sonnet-4-5",
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
