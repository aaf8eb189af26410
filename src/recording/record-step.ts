import { instantOf } from "../domain/trace/instant.js";
import type { TraceEvent } from "../domain/trace/trace-envelope.js";
import type { OpenSpan } from "./open-span.js";
import type { RunSpanResult } from "./run-span.js";
import { outcomeOf, type SpanOutcome } from "./span-outcome.js";

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
  return evaluations.map(({ at = end, ...evaluation }) => ({
    event: { type: "evaluation", parentSpanId, ...evaluation },
    at: Math.floor(instantOf(at) ?? end),
  }));
}

export function recordOther(span: OpenSpan, result: RunSpanResult | undefined, at: number): void {
  const { run, tree, around } = span;
  const isOwnError = !span.hasFailedPart && around?.kind !== "model" && around?.kind !== "tool";
  const end = { ...outcomeOf(result ?? {}), isOwnError, isUnfinished: result === undefined };
  const event = stepEvent(span, at, end);
  if (run === undefined) tree.addOutside((some) => some.record(event, at));
  else run.record(event, at);
}

interface Step extends Pick<OpenSpan, "id" | "parentId" | "name" | "operation" | "query" | "attributes"> {
  readonly startedAt: number;
}

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
