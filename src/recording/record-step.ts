import { instantOf } from "../domain/trace/instant.js";
import type { TraceEvent } from "../domain/trace/trace-envelope.js";
import type { OpenSpan } from "./open-span.js";
import type { RunSpanResult } from "./run-span.js";
import { outcomeOf, type SpanOutcome } from "./span-outcome.js";

/** Records evaluations of a span's work, as parts of the span. */
export function recordEvaluations({ id, run, tree }: OpenSpan, result: RunSpanResult, end: number): void {
  for (const { event, at } of evaluationEvents(id, result, end)) {
    if (run === undefined) tree.addOutside((some) => some.record(event, at));
    else run.record(event, at);
  }
}

/** @param end of the span: the default instant of an evaluation */
export function evaluationEvents(
  parentSpanId: string,
  { evaluations = [] }: RunSpanResult,
  end: number,
): readonly { readonly event: TraceEvent; readonly at: number }[] {
  return evaluations.map(({ at = end, ...said }) => ({
    event: { type: "evaluation", parentSpanId, ...said },
    at: Math.floor(instantOf(at) ?? end),
  }));
}

/** Records a span as one event if only its writer's description is available. */
export function recordOther(span: OpenSpan, result: RunSpanResult | undefined, at: number): void {
  const { run, tree, around } = span;
  // The call that it is a part of, or a part of it, says that it failed.
  const isOwnError = !span.hasFailedPart && around?.kind !== "model" && around?.kind !== "tool";
  const end = { ...outcomeOf(result ?? {}), isOwnError, isUnfinished: result === undefined };
  const event = stepEvent(span, at, end);
  if (run === undefined) tree.addOutside((some) => some.record(event, at));
  else run.record(event, at);
}

/** Facts of a span that is recorded as one event. */
interface Step extends Pick<OpenSpan, "id" | "parentId" | "name" | "operation" | "query" | "attributes"> {
  /** Milliseconds since the epoch, as that of its end. */
  readonly startedAt: number;
}

/** Outcome of a step: its failure, whether it reported the error first, and whether its end was never reported. */
interface StepEnd extends SpanOutcome {
  readonly isOwnError: boolean;
  readonly isUnfinished?: boolean;
}

export function stepEvent(
  { id, parentId, name, operation, query, attributes, startedAt }: Step,
  at: number,
  { outcome, cancelReason, error, isOwnError, isUnfinished = false }: StepEnd,
) {
  return {
    type: "span",
    name,
    operation,
    query,
    spanId: id,
    parentSpanId: parentId,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, at - startedAt),
    attributes,
    isUnfinished: isUnfinished ? true : undefined,
    outcome: outcome === "cancelled" ? outcome : undefined,
    cancelReason,
    error: isOwnError ? error : undefined,
    failure: isOwnError ? undefined : error?.message,
  };
}
