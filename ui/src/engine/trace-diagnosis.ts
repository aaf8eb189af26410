import { diagnosisOf, findErrors } from "../../../src/domain/analysis/diagnosis.js";
import { eventDetails } from "../../../src/domain/analysis/event-details.js";
import type { Diagnosis } from "../../../src/domain/analysis/session-diagnosis.js";
import { runToEnd } from "../../../src/domain/lists/run-to-end.js";
import type { EventFacts } from "../../../src/domain/spans/event-facts.js";
import type { Span } from "../../../src/domain/spans/span.js";
import type { Cost } from "../../../src/domain/usage/money.js";
import type { TraceModel } from "../model/trace-model.js";
import { eventIn } from "./record-json.js";

/**
 * What went wrong in a trace: what the summary of the API says of the same one.
 *
 * @param records the envelopes as JSON text, in the order of the trace: only those are parsed that something went wrong in
 * @param costOf what a model call cost; `undefined` where that is not known
 */
export function diagnoseTrace(
  { roots, spans }: TraceModel,
  records: readonly string[],
  costOf: (call: Span) => Cost | undefined,
): Diagnosis {
  const detailsOf = (event: EventFacts) => eventDetails(event, eventIn(records[event.index]!));
  const found = runToEnd(findErrors(roots, detailsOf));
  return diagnosisOf(found, (stepId) => {
    const call = spans.get(stepId);
    const cost = call && costOf(call);
    return cost === undefined || cost.unpricedCalls > 0 ? undefined : cost.usd;
  });
}
