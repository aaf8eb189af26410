import { findErrors, type SessionErrors } from "../../../domain/diagnosis/diagnosis.js";
import type { EventFacts } from "../../../domain/spans/event-facts.js";
import type { Span } from "../../../domain/spans/span.js";
import { type EventDetails, eventDetails } from "../../../domain/steps/event-details.js";
import { readSessionSteps } from "../../../domain/steps/read-session-steps.js";
import type { SessionSteps } from "../../../domain/steps/session-steps.js";
import type { ExportedTrace, Keep } from "../session/exported-trace.js";
import { type EventTexts, eventTexts, type TextLimits } from "./event-texts.js";

export interface EventExcerpt {
  readonly texts: EventTexts;
  readonly details: EventDetails;
}

export interface ReadTrace {
  readonly roots: readonly Span[];
  readonly steps: SessionSteps;
  readonly errors: SessionErrors;
  textsOf(event: EventFacts | undefined): EventTexts;
}

/** Characters per trace: later texts are shortened. */
const MOST_HELD = 32 * 2 ** 20;
const SHORT = 200;
const SHORT_TEXTS: TextLimits = {
  spoken: SHORT,
  thought: SHORT,
  input: SHORT,
  change: SHORT,
  result: SHORT,
  error: SHORT,
};

/** The function serves one session. */
export function keepExcerpts(lengths: TextLimits): Keep<EventExcerpt> {
  let held = 0;
  return (event, facts) => {
    const texts = eventTexts(event, facts, held < MOST_HELD ? lengths : SHORT_TEXTS);
    held += sizeOf(texts);
    return { texts, details: eventDetails(facts, event) };
  };
}

export function* readTrace(trace: ExportedTrace<EventExcerpt>): Generator<void, ReadTrace> {
  const { facts, roots, retainedOf } = trace;
  const detailsOf = (event: EventFacts) => retainedOf(event).details;
  const steps = yield* readSessionSteps(facts, facts.map(detailsOf));
  yield;
  const errors = yield* findErrors(roots, detailsOf);
  return { roots, steps, errors, textsOf: (event) => (event === undefined ? {} : retainedOf(event).texts) };
}

function sizeOf({ spoken: text = "", input, result = "", error = "" }: EventTexts): number {
  return text.length + (input?.text.length ?? 0) + result.length + error.length;
}
