import { costOfCall } from "../cost/call-totals.js";
import { firstWhere } from "../lists/lists.js";
import type { ModelCall, SessionSteps, ToolCall } from "../steps/session-steps.js";
import type { RatesOfCall } from "../summary/summarise-calls.js";
import type { StepUse } from "./step-comparison.js";

export interface PlacedStep {
  readonly tool: ToolCall | undefined;
  readonly call: ModelCall | undefined;
  /** True if the model call wrote it; otherwise it is the first call with the step in its context. */
  readonly isSpoken: boolean;
}

/** Adds up to the use of the session: each model call belongs to one step. */
export function usedBySteps(
  steps: SessionSteps,
  placed: readonly PlacedStep[],
  ratesOf: RatesOfCall,
): readonly StepUse[] {
  const used = timesOf(placed).map((ms): { ms: number; usd: number; unpricedCalls?: number } => ({
    ms,
    usd: 0,
  }));
  if (used.length === 0) return used;
  const ownerOf = new StepOwners(steps, placed);
  for (const call of steps.calls) {
    const { usd, unpricedCalls } = costOfCall(call, ratesOf(call));
    const one = used[ownerOf.stepOf(call)]!;
    one.usd += usd;
    if (unpricedCalls > 0) one.unpricedCalls = (one.unpricedCalls ?? 0) + unpricedCalls;
  }
  return used;
}

/** No moment counts twice: model output takes precedence over tools. */
function timesOf(placed: readonly PlacedStep[]): number[] {
  const begun = new Set<ModelCall>();
  let until = Number.NEGATIVE_INFINITY;
  return placed.map(({ tool, call, isSpoken }) => {
    const own: { readonly at: number; readonly endAt: number }[] = [];
    if (isSpoken && call !== undefined && !begun.has(call)) own.push(call);
    if (isSpoken && call !== undefined) begun.add(call);
    if (tool !== undefined) own.push(tool);
    let ms = 0;
    for (const { at, endAt } of own) {
      ms += Math.max(0, endAt - Math.max(at, until));
      until = Math.max(until, endAt);
    }
    return ms;
  });
}

class StepOwners {
  readonly #bySaying = new Map<ModelCall, number>();
  readonly #bySpawning = new Map<string, number>();
  readonly #parents: ReadonlyMap<string, string>;
  readonly #begun: { readonly at: number; readonly step: number }[] = [];

  constructor({ agents }: SessionSteps, placed: readonly PlacedStep[]) {
    this.#parents = new Map(agents.map(({ agentId, parentAgentId }) => [agentId, parentAgentId]));
    for (const [step, { tool, call, isSpoken }] of placed.entries()) {
      if (isSpoken && call !== undefined && !this.#bySaying.has(call)) this.#bySaying.set(call, step);
      for (const agentId of tool?.spawned ?? [])
        if (!this.#bySpawning.has(agentId)) this.#bySpawning.set(agentId, step);
      const at = tool?.at ?? call?.at;
      if (at !== undefined && at >= (this.#begun.at(-1)?.at ?? Number.NEGATIVE_INFINITY))
        this.#begun.push({ at, step });
    }
  }

  /** The step that the call wrote; for a sub-agent the call that spawned it; otherwise the last step that had begun. */
  stepOf(call: ModelCall): number {
    const texts = this.#bySaying.get(call);
    if (texts !== undefined) return texts;
    let agentId = call.agentId;
    // Agents that are each other's parents belong to no step.
    for (let depth = 0; agentId !== "" && depth < 100; depth++) {
      const spawning = this.#bySpawning.get(agentId);
      if (spawning !== undefined) return spawning;
      agentId = this.#parents.get(agentId) ?? "";
    }
    const behind = firstWhere(0, this.#begun.length, (i) => this.#begun[i]!.at > call.at);
    return this.#begun[behind - 1]?.step ?? 0;
  }
}
