import { diagnosisOf, findErrors } from "../../../../src/domain/diagnosis/diagnosis.js";
import type { Diagnosis } from "../../../../src/domain/diagnosis/session-diagnosis.js";
import { runToEnd } from "../../../../src/domain/lists/run-to-end.js";
import type { EventFacts } from "../../../../src/domain/spans/event-facts.js";
import type { Span } from "../../../../src/domain/spans/span.js";
import { eventDetails } from "../../../../src/domain/steps/event-details.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import type { TraceModel } from "../../model/trace/trace-model.js";
import { eventIn } from "../records/record-json.js";

/**
 * The API's summary contains the same failures.
 * @param records envelopes as JSON text: only those with a failure are parsed
 * @param costOf `undefined` if it is not available
 */
export function diagnoseTrace(
  { roots, spans }: TraceModel,
  records: readonly string[],
  costOf: (call: Span) => Cost | undefined,
): Diagnosis {
  const detailsOf = (event: EventFacts) => eventDetails(event, eventIn(records[event.index]!));
  const errors = runToEnd(findErrors(roots, detailsOf));
  return diagnosisOf(errors, (stepId) => {
    const call = spans.get(stepId);
    const cost = call && costOf(call);
    return cost === undefined || cost.unpricedCalls > 0 ? undefined : cost.usd;
  });
}
