import { type FoundErrors, findErrors } from "../../../domain/diagnosis/diagnosis.js";
import type { EventFacts } from "../../../domain/spans/event-facts.js";
import type { Span } from "../../../domain/spans/span.js";
import { type EventDetails, eventDetails } from "../../../domain/steps/event-details.js";
import { readSessionSteps } from "../../../domain/steps/read-session-steps.js";
import type { SessionSteps } from "../../../domain/steps/session-steps.js";
import type { ExportedTrace, Keep } from "../session/exported-trace.js";
import { type EventTexts, eventTexts, type ShownLengths } from "./event-texts.js";

export interface ShownEvent {
  readonly texts: EventTexts;
  readonly details: EventDetails;
}

export interface ReadTrace {
  readonly roots: readonly Span[];
  readonly steps: SessionSteps;
  readonly errors: FoundErrors;
  textsOf(event: EventFacts | undefined): EventTexts;
}

/** Characters per trace: later texts are shortened. */
const MOST_HELD = 32 * 2 ** 20;
const SHORT = 200;
const SHORT_TEXTS: ShownLengths = {
  said: SHORT,
  thought: SHORT,
  input: SHORT,
  change: SHORT,
  result: SHORT,
  error: SHORT,
};

/** The function serves one session. */
export function keepShown(lengths: ShownLengths): Keep<ShownEvent> {
  let held = 0;
  return (event, facts) => {
    const texts = eventTexts(event, facts, held < MOST_HELD ? lengths : SHORT_TEXTS);
    held += sizeOf(texts);
    return { texts, details: eventDetails(facts, event) };
  };
}

export function* readTrace(trace: ExportedTrace<ShownEvent>): Generator<void, ReadTrace> {
  const { facts, roots, keptOf } = trace;
  const detailsOf = (event: EventFacts) => keptOf(event).details;
  const steps = yield* readSessionSteps(facts, facts.map(detailsOf));
  yield;
  const errors = yield* findErrors(roots, detailsOf);
  return { roots, steps, errors, textsOf: (event) => (event === undefined ? {} : keptOf(event).texts) };
}

function sizeOf({ said = "", input, result = "", error = "" }: EventTexts): number {
  return said.length + (input?.text.length ?? 0) + result.length + error.length;
}
