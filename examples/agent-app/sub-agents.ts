import { randomUUID } from "node:crypto";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";
import { fileTools } from "./file-tools.js";
import type { Folder } from "./folder.js";
import type { Model } from "./model.js";
import { messageOf, Recording } from "./recording.js";

const ROLES = {
  researcher:
    "You are the researcher. Find in the files what the task asks for, and report it with file names.",
  reviewer:
    "You are the reviewer. Read the files that the task names, and report what is unclear or wrong in them.",
} as const;

type Role = keyof typeof ROLES;

/** The sub-agents of one turn: each has its trace, and the orchestration log records its life. */
export class SubAgents {
  readonly recordings: Recording[] = [];
  readonly #parent: Recording;
  readonly #model: Model;
  readonly #folder: Folder;
  readonly #runId = randomUUID();
  #begun: Promise<void> | undefined;

  constructor(parent: Recording, model: Model, folder: Folder) {
    this.#parent = parent;
    this.#model = model;
    this.#folder = folder;
  }

  tool() {
    return tool({
      description: "Let a sub-agent work on a task, and wait for its report.",
      inputSchema: z.object({ agent: z.enum(["researcher", "reviewer"]), task: z.string() }),
      execute: ({ agent, task }, { toolCallId }) => this.#delegate(agent, task, toolCallId),
    });
  }

  async end(): Promise<void> {
    if (this.#begun !== undefined) await this.#orchestrate({ type: "run_completed", status: "completed" });
  }

  async #delegate(role: Role, task: string, toolCallId: string): Promise<string> {
    this.#begun ??= this.#orchestrate({ type: "run_started" });
    await this.#begun;
    const [agentId, jobId, waitId] = [`${role}-${randomUUID()}`, randomUUID(), randomUUID()];
    const agent = { id: agentId, role, displayName: role };
    await this.#orchestrate({ type: "agent_spawned", toolCallId, agent });
    await this.#orchestrate({ type: "wait_registered", wait: { id: waitId, agentIds: [agentId] } });
    await this.#orchestrate({ type: "agent_job_started", agentId, jobId });
    const job = { jobId, startedAt: new Date().toISOString() };
    try {
      const outputText = await this.#work(role, agentId, task);
      const completed = { ...job, outcome: "completed", outputText };
      await this.#orchestrate({ type: "agent_job_completed", agentId, job: completed });
      return outputText;
    } catch (error) {
      const failed = { ...job, outcome: "failed", error: messageOf(error) };
      await this.#orchestrate({ type: "agent_job_failed", agentId, job: failed });
      throw error;
    } finally {
      await this.#orchestrate({ type: "agent_closed", close: { agentId, reason: "job_ended" } });
      await this.#orchestrate({ type: "wait_resolved", waitId });
    }
  }

  async #work(role: Role, agentId: string, task: string): Promise<string> {
    const recording = new Recording(this.#parent.session, agentId);
    this.recordings.push(recording);
    await recording.record({ type: "turn.start", turnIndex: 0, input: task });
    try {
      const { text } = await generateText({
        model: recording.model(this.#model),
        system: ROLES[role],
        prompt: task,
        tools: recording.tools(fileTools(this.#folder)),
        stopWhen: stepCountIs(8),
      });
      await recording.record({ type: "turn.end", turnIndex: 0, outcome: "completed" });
      return text;
    } catch (error) {
      await recording.record({ type: "turn.end", turnIndex: 0, outcome: "failed", error: messageOf(error) });
      throw error;
    }
  }

  async #orchestrate(event: { readonly type: string; readonly [field: string]: unknown }): Promise<void> {
    await this.#parent.session.recordOrchestration({ runId: this.#runId, ...event });
  }
}
