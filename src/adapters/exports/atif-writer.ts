import { InvalidRequestError } from "../../application/errors.js";
import { CallPricing } from "../../application/explain/call-pricing.js";
import type { ArchiveLines, ExportWriter } from "../../application/ports/export.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import { type JsonObject, present } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { type Span, spanUsage, walkSpans } from "../../domain/spans/span.js";
import { callColumns } from "../../domain/usage/call-prices.js";
import { costOfUsage } from "../../domain/usage/money.js";
import { contextTokens } from "../../domain/usage/token-counts.js";
import { agentNameOf } from "./agent-name.js";
import { asBytes } from "./json-pieces.js";
import { type SessionOnHand, sessionsIn } from "./session-on-hand.js";
import { type PlannedTrajectory, planTrajectories } from "./trajectory-plan.js";
import { type StepSource, trajectoryStep } from "./trajectory-step.js";

/**
 * A trajectory of the Agent Trajectory Interchange Format 1.7 (Harbor's RFC 0001), of one session: sub-agents are embedded in it. It is
 * written step by step.
 */
export class AtifWriter implements ExportWriter {
  readonly mediaType = "application/json";
  readonly ending = ".json";
  readonly #pricing: CallPricing;

  /** @param pricing what calls cost whose cost is not recorded. Default knows no prices: then these have none */
  constructor(pricing = new CallPricing()) {
    this.#pricing = pricing;
  }

  async *write(lines: ArchiveLines, options: ReadOptions = {}): AsyncGenerator<Uint8Array> {
    let session: SessionOnHand | undefined;
    for await (const next of sessionsIn(lines, options)) {
      if (session !== undefined)
        throw new InvalidRequestError(
          "sessions",
          "are several: a trajectory holds one. Export them one by one.",
        );
      session = next;
    }
    if (session === undefined) throw new InvalidRequestError("sessions", "are none.");
    const roots = await runInSlices(session.roots(), options.signal);
    const costs = await this.#costs(roots, options);
    yield* asBytes(new TrajectoryDocument(session, roots, costs).texts(), options.signal);
  }

  /** What model calls cost: as recorded, else by the prices. */
  async #costs(roots: readonly Span[], options: ReadOptions): Promise<ReadonlyMap<Span, number>> {
    const calls: Span[] = [];
    walkSpans(roots, (span) => {
      if (span.kind === "llm") calls.push(span);
    });
    const costs = new Map<Span, number>();
    const columns = callColumns(
      calls.map((span) => {
        const usage = spanUsage(span);
        const { start, end, name: model } = span;
        if (usage === undefined || model === "" || recordedUsd(span) !== undefined) return undefined;
        return {
          model,
          provider: end?.provider ?? start.provider,
          at: start.at,
          contextTokens: contextTokens(usage),
        };
      }),
    );
    const { rates, rateOf } = await this.#pricing.ratesOf(columns, options);
    for (const [at, span] of calls.entries()) {
      const usage = spanUsage(span);
      const found = rates[rateOf[at]!];
      const cost = recordedUsd(span) ?? (usage && found && costOfUsage(usage, found));
      if (cost !== undefined) costs.set(span, cost);
    }
    return costs;
  }
}

const recordedUsd = ({ start, end }: Span) => end?.recordedUsd ?? start.recordedUsd;

/** The document of one session, as the texts that it consists of. */
class TrajectoryDocument {
  readonly #session: SessionOnHand;
  readonly #about: ReturnType<typeof agentNameOf>;
  readonly #source: StepSource;
  readonly #main: PlannedTrajectory;
  readonly #ids = new Map<PlannedTrajectory, string>();
  readonly #used: Set<string>;

  constructor(session: SessionOnHand, roots: readonly Span[], costs: ReadonlyMap<Span, number>) {
    this.#session = session;
    this.#about = agentNameOf(session, roots);
    this.#used = new Set([session.listed.sessionId]);
    const { main, startedBy } = planTrajectories(roots);
    this.#main = main;
    this.#source = {
      startedBy,
      eventOf: (facts) => session.eventOf(facts),
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
    if (trajectory === this.#main) return this.#session.listed.sessionId;
    let id = this.#ids.get(trajectory);
    if (id !== undefined) return id;
    id = trajectory.agentId;
    while (this.#used.has(id)) id += "'";
    this.#used.add(id);
    this.#ids.set(trajectory, id);
    return id;
  }

  *#trajectory(trajectory: PlannedTrajectory): Generator<string> {
    const { sessionId, title, directory: cwd } = this.#session.listed;
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

  /** At least one: the format knows no trajectory without a step. */
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
    const { model } = this.#session.listed;
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

/** Of the steps of one trajectory: those of its sub-agents are in theirs. */
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
