import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inventedFolder } from "../support/invented/histories.js";
import { sharedHistories } from "../support/shared-data.js";
import * as histories from "./support/histories.js";

const { agent, call, result, system, text, trajectory, user } = histories;

const child = (id: string, more: object = {}) =>
  trajectory(undefined, [user(1, "Search.", { is_copied_context: true }), agent(2, "Found.")], more, {
    trajectory_id: id,
  });
const refersTo = (reference: object) => ({
  observation: { results: [result("a", "Done.", { subagent_trajectory_ref: [reference] })] },
});

const INVENTED: Readonly<Record<string, object>> = {
  "job/t1/agent/trajectory.json": trajectory(
    "s1",
    [
      system(1, "Be brief."),
      user(2, "Look around. ".repeat(4_000)),
      agent(3, "Looking.", {
        reasoning_content: "Hm.",
        tool_calls: [call("a", "search"), call("b")],
        ...refersTo({ trajectory_id: "c1" }),
      }),
      agent(4, [
        { type: "text", text: "There." },
        { type: "image", source: { path: "x.png" } },
      ]),
      "odd",
      { step_id: 5, source: "robot", message: "Beep." },
    ],
    {
      final_metrics: { total_prompt_tokens: 1 },
      subagent_trajectories: [child("c1", { subagent_trajectories: [child("c2")] }), child("c3"), 7],
      continued_trajectory_ref: "trajectory.cont-1.json",
    },
  ),
  "job/t1/agent/trajectory.cont-1.json": trajectory("s1", [
    system(1, "Be brief.", { is_copied_context: true }),
    user(2, "Look around.", { is_copied_context: true }),
    agent(3, "Going on."),
  ]),
  "job/t2/agent/trajectory.json": trajectory("s2", [
    user(1, "Delegate."),
    agent(2, "", { tool_calls: [call("a", "delegate")], ...refersTo({ trajectory_path: "sub.json" }) }),
  ]),
  "job/t2/agent/sub.json": child("elsewhere"),
};

const invented = mkdtempSync(path.join(tmpdir(), "atif-derived-"));
afterAll(() => rmSync(invented, { recursive: true, force: true }));
for (const [name, value] of Object.entries(INVENTED)) {
  mkdirSync(path.join(invented, path.dirname(name)), { recursive: true });
  writeFileSync(path.join(invented, name), text(value));
}

const options = {
  isHistory: (file: string) => file.endsWith(".json"),
  countRecords(_: string, whole: string) {
    const document = JSON.parse(whole) as { steps: unknown[] };
    const names = Object.keys(document);
    const where = names.indexOf("steps");
    return Number(where > 0) + document.steps.length + Number(where < names.length - 1);
  },
};

describeDerivedSource(
  "trajectories",
  (folder) => histories.atifSource(folder),
  [
    { name: "odd ones", folder: invented },
    { name: "invented", folder: inventedFolder("atif") },
    ...sharedHistories("atif"),
  ],
  options,
);
