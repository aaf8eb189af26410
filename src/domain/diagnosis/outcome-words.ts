import type { ErrorOutcomes } from "./session-diagnosis.js";

/** Words for the outcome of an error, used after its count: "3 not recovered". */
export const OUTCOME_WORDS: { readonly [outcome in keyof ErrorOutcomes]: string } = {
  endedTurn: "ended the turn",
  notRecovered: "not recovered",
  unknown: "with no recorded end",
  retried: "succeeded on a later try",
  continued: "went on without it",
};
