import type { ErrorOutcomes } from "./session-diagnosis.js";

export const OUTCOME_WORDS: { readonly [outcome in keyof ErrorOutcomes]: string } = {
  endedTurn: "ended the turn",
  notRecovered: "not recovered",
  unknown: "with no recorded end",
  retried: "succeeded on a later try",
  continued: "continued without it",
};
