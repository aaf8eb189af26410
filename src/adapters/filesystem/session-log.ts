import { EMPTY_LOG, followLog, type SessionLog } from "../../domain/session-log.js";
import type { Digest } from "../jsonl/follow-file.js";
import type { JsonLine } from "../jsonl/json-line.js";

/** A digest of a value that each line replaces by the next: small states, never changed in place. */
export function foldDigest<T>(initial: T, next: (value: T, line: JsonLine) => T): Digest<{ value: T }, T> {
  return {
    begin: () => ({ value: initial }),
    add: (state, line) => {
      state.value = next(state.value, line);
    },
    view: ({ value }, tail) => (tail === undefined ? value : next(value, tail)),
    weigh: () => 512,
  };
}

/** Of `session.jsonl`. */
export const sessionLog = foldDigest<SessionLog>(EMPTY_LOG, (log, { value }) =>
  value === undefined ? log : followLog(log, value),
);
