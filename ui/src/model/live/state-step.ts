import { type StateMembers, stateOf } from "../../../../src/domain/session/session.js";
import type { Span } from "../../../../src/domain/spans/span.js";

/** The open or repeated call, the question, the turn, or the failure; `undefined` if the trace has no such step. */
export function stepOfState(spans: ReadonlyMap<string, Span>, item: StateMembers): string | undefined {
  const { toolCallId, since } = stateOf(item);
  if (since === undefined) return undefined;
  const at = Date.parse(since);
  let step: Span | undefined;
  for (const span of spans.values()) {
    const isStep =
      toolCallId === undefined
        ? span.kind !== "group" && (span.start.at === at || span.end?.at === at)
        : span.kind === "tool" && span.start.key === toolCallId;
    if (isStep && (step === undefined || span.start.index >= step.start.index)) step = span;
  }
  return step?.id;
}
