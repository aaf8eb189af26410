import type { CacheMissCause } from "../../../../src/domain/cost/cache-misses.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { type CausedCall, ContextCauses } from "../../model/context/context-cause.js";
import type { TraceModel } from "../../model/trace/trace-model.js";
import { rowSubject } from "./trace-row.js";
import type { TraceStore } from "./trace-store.js";

export type ReadoutCause =
  | { readonly by: "compaction" | "turn" }
  | { readonly by: "result"; readonly tool: string; readonly subject: string; readonly tokens: number }
  | { readonly by: "others"; readonly results: number; readonly tokens: number }
  | {
      readonly by: "miss";
      readonly cause: CacheMissCause;
      readonly tokens: number;
      readonly idleMs: number;
      readonly lifetimeMs: number;
    };

export interface CallReadout {
  readonly id: string;
  readonly at: number;
  /** The vendor's count; `undefined` without one. */
  readonly tokens: number | undefined;
  readonly change: number | undefined;
  readonly cost: Cost | undefined;
  /** Maximum tokens of its model's context; `undefined` if unavailable. */
  readonly window: number | undefined;
  readonly causes: readonly ReadoutCause[];
}

const LEAST_PART = 0.1;

/** Caches the causes per version of the trace. */
export class CallReadouts {
  #model: TraceModel | undefined;
  #causes: ContextCauses | undefined;

  /** @returns `undefined` without such a call */
  of({ model, directory, costs }: TraceStore, id: string): CallReadout | undefined {
    if (model !== this.#model) this.#causes = undefined;
    this.#model = model;
    this.#causes ??= new ContextCauses(model);
    const cause = this.#causes.of(id);
    if (cause === undefined) return undefined;
    const { call, before } = cause;
    const { contextTokens: tokens } = call;
    const change =
      tokens === undefined || before?.contextTokens === undefined ? undefined : tokens - before.contextTokens;
    const directoryOf = (traceId: string) => model.directories.get(traceId) ?? directory;
    return {
      id: call.id,
      at: call.start.at,
      tokens,
      change,
      cost: costs.of(call),
      window: costs.contextWindowOf(call),
      causes: causesOf(cause, change, directoryOf),
    };
  }
}

function causesOf(
  { compaction, turn, results, miss }: CausedCall,
  change: number | undefined,
  directoryOf: (traceId: string) => string,
): ReadoutCause[] {
  const causes: ReadoutCause[] = [];
  if (compaction !== undefined) causes.push({ by: "compaction" });
  const least = Math.abs(change ?? 0) * LEAST_PART;
  const [largest, ...others] = results.filter(({ addedTokens = 0 }) => addedTokens >= least);
  if (largest !== undefined) {
    const { text, nameAt } = rowSubject(largest, directoryOf(largest.start.traceId));
    const subject = nameAt > 0 ? text.slice(nameAt) : text;
    causes.push({ by: "result", tool: largest.name, subject, tokens: largest.addedTokens! });
  }
  if (others.length > 0) {
    const tokens = others.reduce((sum, { addedTokens = 0 }) => sum + addedTokens, 0);
    causes.push({ by: "others", results: others.length, tokens });
  }
  if (turn !== undefined) causes.push({ by: "turn" });
  if (miss !== undefined) {
    const { cause, tokens, evidence } = miss;
    causes.push({
      by: "miss",
      cause,
      tokens,
      idleMs: evidence.idleMs,
      lifetimeMs: evidence.lifetimeMs,
    });
  }
  return causes;
}
