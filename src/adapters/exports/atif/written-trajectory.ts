import { type JsonObject, present } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { UniqueNames, withSign } from "../../../domain/lists/unique-names.js";
import type { ListedSession } from "../../../domain/session/model-usage.js";
import type { Span } from "../../../domain/spans/span.js";
import { type AgentName, agentNameOf } from "../session/agent-name.js";
import { type CompleteEvent, eventIn } from "../session/complete-events.js";
import type { ExportedSession } from "../session/exported-session.js";
import { type PlannedTrajectory, planTrajectories } from "./trajectory-plan.js";
import { type StepSource, trajectoryStep } from "./trajectory-step.js";

export class WrittenTrajectory {
  readonly #listed: ListedSession;
  readonly #about: AgentName;
  readonly #source: StepSource;
  readonly #main: PlannedTrajectory;
  readonly #ids = new Map<PlannedTrajectory, string>();
  readonly #used = new UniqueNames();

  /** @param costs in US dollars */
  constructor(session: ExportedSession<CompleteEvent>, costs: ReadonlyMap<Span, number>) {
    const { listed, trace } = session;
    this.#listed = listed;
    this.#about = agentNameOf(session);
    this.#used.take(listed.sessionId, withSign(listed.sessionId, "'"));
    const { main, startedBy } = planTrajectories(trace.roots);
    this.#main = main;
    this.#source = {
      startedBy,
      eventOf: (facts) => eventIn(trace, facts),
      costOf: (call) => costs.get(call),
      idOf: (trajectory) => this.#idOf(trajectory),
    };
  }

  *texts(): Generator<string> {
    yield* this.#trajectory(this.#main);
    yield "\n";
  }

  /** Unique in the document. */
  #idOf(trajectory: PlannedTrajectory): string {
    if (trajectory === this.#main) return this.#listed.sessionId;
    let id = this.#ids.get(trajectory);
    if (id !== undefined) return id;
    id = this.#used.take(trajectory.agentId, withSign(trajectory.agentId, "'"));
    this.#ids.set(trajectory, id);
    return id;
  }

  *#trajectory(trajectory: PlannedTrajectory): Generator<string> {
    const { sessionId, title, directory: cwd } = this.#listed;
    const isMain = trajectory === this.#main;
    const about = present({
      title: isMain ? title : trajectory.agent?.name || undefined,
      cwd: isMain ? cwd : undefined,
    });
    const head = {
      schema_version: "ATIF-v1.7",
      session_id: sessionId,
      trajectory_id: this.#idOf(trajectory),
      agent: this.#agent(trajectory),
      ...(Object.keys(about).length === 0 ? {} : { extra: about }),
    };
    yield `${textOf(head).slice(0, -1)},"steps":[`;
    const totals = new Totals();
    for (const step of this.#steps(trajectory)) {
      const text = textOf({ step_id: ++totals.steps, ...step });
      totals.add(step);
      yield totals.steps === 1 ? text : `,${text}`;
    }
    yield "]";
    for (const [at, agent] of trajectory.agents.entries()) {
      yield at === 0 ? ',"subagent_trajectories":[' : ",";
      yield* this.#trajectory(agent);
    }
    if (trajectory.agents.length > 0) yield "]";
    yield `,"final_metrics":${textOf(totals.metrics())}}`;
  }

  /** At least one: the format requires it. */
  *#steps(trajectory: PlannedTrajectory): Generator<JsonObject> {
    let isEmpty = true;
    for (const span of trajectory.steps) {
      const step = trajectoryStep(span, this.#source);
      if (step === undefined) continue;
      isEmpty = false;
      yield step;
    }
    if (isEmpty) yield { source: "system", message: "" };
  }

  #agent({ steps, agent }: PlannedTrajectory): JsonObject {
    const { model } = this.#listed;
    const models = new Map<string, number>();
    for (const { kind, name } of steps)
      if (kind === "llm" && name !== "") models.set(name, (models.get(name) ?? 0) + 1);
    const [mostUsed] = [...models].sort(([, a], [, b]) => b - a);
    return {
      name: agent?.name || this.#about.name,
      version: this.#about.version ?? "unknown",
      ...present({ model_name: mostUsed?.[0] ?? (agent === undefined ? model : undefined) }),
    };
  }
}

/** Excludes the steps of sub-agents. */
class Totals {
  steps = 0;
  #prompt = 0;
  #completion = 0;
  #cached = 0;
  #cost: number | undefined;
  #isCounted = false;

  add({ metrics }: JsonObject): void {
    const { prompt_tokens, completion_tokens, cached_tokens, cost_usd } = (metrics ?? {}) as {
      readonly [name: string]: number | undefined;
    };
    if (prompt_tokens !== undefined) this.#isCounted = true;
    this.#prompt += prompt_tokens ?? 0;
    this.#completion += completion_tokens ?? 0;
    this.#cached += cached_tokens ?? 0;
    if (cost_usd !== undefined) this.#cost = (this.#cost ?? 0) + cost_usd;
  }

  metrics(): JsonObject {
    const counts = {
      total_prompt_tokens: this.#prompt,
      total_completion_tokens: this.#completion,
      total_cached_tokens: this.#cached,
    };
    return {
      ...(this.#isCounted ? counts : {}),
      ...present({ total_cost_usd: this.#cost }),
      total_steps: this.steps,
    };
  }
}

const textOf = (value: JsonObject): string => jsonTextOf(value)!;
