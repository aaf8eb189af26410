import type { ErrorOutcomes, FailedKind } from "../../../src/domain/diagnosis/session-diagnosis.js";

const plural = (n: string, one: string, many: string) => `${n} ${n === "1" ? one : many}`;

export const DIAGNOSIS_STRINGS = {
  title: "What went wrong",
  nothing: "Nothing failed",
  counts: (errors: string, causes: string) =>
    `${plural(errors, "error", "errors")}, ${plural(causes, "cause", "causes")}`,
  errors: (n: string) => plural(n, "error", "errors"),
  finding: "Finding causes",
  soFar: "so far",
  read: (events: string) => `${events} events read`,
  loops: (n: string) => plural(n, "loop", "loops"),
  refused: (n: string) =>
    `${plural(n, "call", "calls")} refused by the user, which ${n === "1" ? "is no error" : "are no errors"}`,
  all: (n: string) => `All ${n} errors in the trace`,
  kinds: {
    tool: "Tool",
    model: "Model call",
    agent: "Agent",
    turn: "Turn",
    bookkeeping: "Hook",
    other: "Error",
  } satisfies { readonly [kind in FailedKind]: string },
  verdicts: {
    endedTurn: "Ended the turn",
    notRecovered: "Not recovered",
    unknown: "Outcome unknown",
    continued: "Continued without it",
    recovered: "Recovered",
    loop: "Loop",
  },
  outcomes: {
    retried: (n: string) => `${n} succeeded on a later try`,
    continued: (n: string) => `${n} continued without it`,
    notRecovered: (n: string) => `${n} not recovered`,
    endedTurn: (n: string) => `${n} ended the turn`,
    unknown: (n: string) => `${n} with no recorded end`,
  } satisfies { readonly [outcome in keyof ErrorOutcomes]: (n: string) => string },
  times: (n: string) => `${n} ×`,
  turn: (n: string) => `turn ${n}`,
  firstIn: (where: string) => `first in ${where}`,
  agent: (name: string) => `agent ${name}`,
  took: (duration: string) => `took ${duration}`,
  tokens: (tokens: string) => `${tokens} tokens of model calls`,
  uncounted: (n: string) => `${plural(n, "error", "errors")} without counted tokens`,
  sameCall: (n: string) => `the same call ${n} times`,
  inARow: (n: string) => `${n} in a row`,
  sameResult: (n: string) => `the same call ${n} times in a row, with the same result`,
  rootUnknown: "the cause is not recorded",
  becauseOf: "Because of this",
  unlisted: (n: string) => `${plural(n, "error", "errors")} of further causes`,
  more: (n: string) => `${n} more`,
  less: "Show fewer",
  costHint:
    "Time of the failed calls, and of the model calls that requested them. A model call with several tool calls counts in part.",
  turns: "Turns",
};
