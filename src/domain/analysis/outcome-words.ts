import type { ErrorOutcomes } from "./session-diagnosis.js";

/** How it went on after an error, behind how often it did: "3 not recovered". */
export const OUTCOME_WORDS: { readonly [outcome in keyof ErrorOutcomes]: string } = {
  endedTurn: "ended the turn",
  notRecovered: "not recovered",
  unknown: "with no recorded end",
  retried: "succeeded on a later try",
  continued: "went on without it",
};
