import { Actor, type ScriptedCall, type ToolResult } from "./actor.js";

export interface Delegation {
  readonly agentId: string;
  readonly role: string;
  readonly displayName: string;
  readonly model?: string;
  readonly task: string;
  readonly outcome?: "completed" | "failed" | "timed_out" | "cancelled" | "running";
  readonly error?: string;
  act(agent: Actor): string;
}

export function delegation(work: Delegation): ScriptedCall {
  return {
    name: "delegate",
    input: { agent: work.role, task: work.task },
    perform: (caller, toolCallId) => perform(caller, toolCallId, work),
  };
}

function perform(caller: Actor, toolCallId: string, work: Delegation): ToolResult {
  const { scene, at } = caller;
  const { agentId, role, displayName, task, outcome = "completed", error } = work;
  const [jobId, inputId, waitId] = [scene.id("job"), scene.id("input"), scene.id("wait")];
  const parent = caller.agentId === undefined ? {} : { parentAgentId: caller.agentId };
  const spawned = { id: agentId, role, displayName, ...parent };
  scene.orchestrate(at, { type: "agent_spawned", toolCallId, agent: spawned });
  scene.orchestrate(at + 1, { type: "agent_input_queued", input: { id: inputId, agentId, content: task } });
  scene.orchestrate(at + 4, { type: "agent_input_removed", inputId, agentId });
  scene.orchestrate(at + 4, { type: "agent_job_started", agentId, jobId });
  scene.orchestrate(at + 5, { type: "wait_registered", wait: { id: waitId, agentIds: [agentId] } });

  const agent = new Actor(scene, at + 4, agentId, work.model);
  let outputText = "";
  const act = () => {
    outputText = work.act(agent);
  };
  if (outcome === "running") {
    agent.turn(task, act, { open: true });
    return "running";
  }
  agent.turn(task, act, error === undefined ? {} : { failed: error });

  const type = outcome === "completed" ? "agent_job_completed" : "agent_job_failed";
  const reported = {
    ...(outputText === "" ? {} : { outputText }),
    ...(error === undefined ? {} : { error }),
  };
  scene.orchestrate(agent.at, { type, agentId, job: { jobId, outcome, ...reported } });
  scene.orchestrate(agent.at + 20, { type: "agent_closed", close: { agentId, reason: outcome } });
  const ended = agent.at + 25;
  scene.orchestrate(ended, { type: "wait_resolved", waitId, resolution: { agentId, outcome } });
  return error === undefined
    ? { at: ended, output: outputText }
    : { at: ended, output: `${displayName} ${outcome.replace("_", " ")}: ${error}`, isError: true };
}
