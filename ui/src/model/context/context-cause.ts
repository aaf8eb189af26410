import { isModelCall } from "../../../../src/domain/conversation/model-call-of.js";
import { type CacheMiss, cacheMisses } from "../../../../src/domain/cost/cache-misses.js";
import { type Span, spanUsage, walkSpans } from "../../../../src/domain/spans/span.js";
import type { ModelCall } from "../../../../src/domain/steps/session-steps.js";
import { inTraceOrder, type TraceModel } from "../trace/trace-model.js";

export interface CausedCall {
  readonly call: Span;
  readonly before: Span | undefined;
  readonly compaction: Span | undefined;
  /** The largest first. */
  readonly results: readonly Span[];
  readonly turn: Span | undefined;
  readonly miss: CacheMiss | undefined;
}

export class ContextCauses {
  readonly #calls = new Map<string, { readonly call: Span; readonly before: Span | undefined }>();
  readonly #between = new Map<string, Span[]>();
  readonly #misses: ReadonlyMap<string, CacheMiss>;

  constructor({ roots }: Pick<TraceModel, "roots">) {
    const calls: Span[] = [];
    const compactions: Span[] = [];
    walkSpans(roots, (span) => {
      if (isModelCall(span)) calls.push(span);
      if (span.kind === "compaction") compactions.push(span);
      if (!["compaction", "tool", "turn"].includes(span.kind)) return;
      const others = this.#between.get(span.agentId);
      if (others === undefined) this.#between.set(span.agentId, [span]);
      else others.push(span);
    });
    const last = new Map<string, Span>();
    for (const call of inTraceOrder(calls)) {
      this.#calls.set(call.id, { call, before: last.get(call.agentId) });
      // A call without counts, such as a refused one, cannot be compared.
      if (call.contextTokens !== undefined) last.set(call.agentId, call);
    }
    const facts = { calls: calls.map(modelCall), compactions: inTraceOrder(compactions).map(compaction) };
    const misses = cacheMisses(
      facts,
      () => undefined,
      () => undefined,
    );
    this.#misses = new Map(misses.map((miss) => [miss.stepId, miss]));
  }

  of(id: string): CausedCall | undefined {
    const matches = this.#calls.get(id);
    if (matches === undefined) return undefined;
    const { call, before } = matches;
    const from = before?.start.index ?? -1;
    const came = (this.#between.get(call.agentId) ?? []).filter((span) => {
      const { index } = span.kind === "tool" && span.end !== undefined ? span.end : span.start;
      return index > from && index < call.start.index;
    });
    return {
      call,
      before,
      compaction: came.findLast(({ kind }) => kind === "compaction"),
      turn: came.findLast(({ kind }) => kind === "turn"),
      results: came
        .filter(({ kind, addedTokens = 0 }) => kind === "tool" && addedTokens > 0)
        .sort((a, b) => b.addedTokens! - a.addedTokens!),
      miss: this.#misses.get(id),
    };
  }
}

function modelCall(span: Span): ModelCall {
  return {
    ...step(span),
    turnId: undefined,
    model: modelOf(span),
    provider: undefined,
    usage: spanUsage(span),
    recordedUsd: undefined,
    messageId: undefined,
    inputHash: undefined,
    endId: undefined,
    answerSize: 0,
  };
}

function compaction(span: Span) {
  return { ...step(span), tokensBefore: span.start.tokensBefore, tokensAfter: span.start.tokensAfter };
}

function step(span: Span) {
  const { id: stepId, agentId, start, endAt } = span;
  return { stepId, agentId, at: start.at, endAt: Math.max(endAt, start.at), error: undefined };
}

/** The answering model, else the requested one. */
function modelOf({ name, end }: Span): string | undefined {
  return end?.name ?? (name === "" ? undefined : name);
}
