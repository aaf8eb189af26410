import { AgentAppConfigurationError, UnlookableError } from "../../application/errors.js";
import { ownModule } from "../../application/ports/reading-pool.js";
import type { SessionInput } from "../../application/ports/session-snapshot.js";
import { settled } from "../../application/threads/slices.js";
import { withState } from "../../application/threads/thread-session.js";
import { Detector } from "./find/detector.js";
import { type RemovalSetup, SessionRemoval } from "./session-removal.js";
import { type RedactionSetup, type ReviewedSession, SessionReview } from "./session-review.js";

/** Values, because errors lose their class on the way out of a thread. */
export type Outcome<T> =
  | { readonly value: T }
  | { readonly unlookable: string }
  | { readonly configuration: string };

function* outcomeOf<T>(steps: Generator<unknown, T>): Generator<unknown, Outcome<T>> {
  try {
    return { value: yield* steps };
  } catch (error) {
    if (error instanceof UnlookableError) return { unlookable: error.message };
    if (error instanceof AgentAppConfigurationError) return { configuration: error.message };
    // The error's message may quote a secret.
    return { unlookable: "Something could not be looked at." };
  }
}

/** @throws UnlookableError, AgentAppConfigurationError */
export function valueIn<T>(outcome: Outcome<T>): T {
  if ("value" in outcome) return outcome.value;
  if ("unlookable" in outcome) throw new UnlookableError(outcome.unlookable);
  throw new AgentAppConfigurationError(outcome.configuration);
}

interface RedactionState {
  review?: SessionReview;
  removal?: SessionRemoval;
}

function stepsOf<Input, Output>(
  steps: (state: RedactionState, input: Input) => Generator<unknown, Output>,
): (input: SessionInput<Input>) => Generator<unknown, Outcome<Output>> {
  return withState(
    (): RedactionState => ({}),
    (state, input: Input) => outcomeOf(steps(state, input)),
  );
}

const module = ownModule(import.meta.url, "redaction-tasks");

export const beginReview = stepsOf(function* (state, { rules, machine }: RedactionSetup) {
  state.review = new SessionReview(yield* settled(Detector.load(rules)), machine);
});
export const BEGIN_REVIEW = { module, name: "beginReview", steps: beginReview };

export const reviewLines = stepsOf(function* ({ review }, lines: readonly string[]) {
  yield* review!.add(lines);
});
export const REVIEW_LINES = { module, name: "reviewLines", steps: reviewLines };

// biome-ignore lint/correctness/useYield: a task is a generator
export const endReview = stepsOf(function* ({ review }, _: undefined): Generator<void, ReviewedSession> {
  return review!.end();
});
export const END_REVIEW = { module, name: "endReview", steps: endReview };

export const beginRemoval = stepsOf(function* (state, { rules, ...setup }: RemovalSetup) {
  state.removal = yield* SessionRemoval.create(yield* settled(Detector.load(rules)), setup);
});
export const BEGIN_REMOVAL = { module, name: "beginRemoval", steps: beginRemoval };

export const removeFromLines = stepsOf(function* ({ removal }, lines: readonly string[]) {
  return yield* removal!.from(lines);
});
export const REMOVE_FROM_LINES = { module, name: "removeFromLines", steps: removeFromLines };
