import type { JsonObject } from "../../domain/json.js";
import { EMPTY_LOG, followLog } from "../../domain/session-log.js";
import type { Digest } from "../json-lines/followed-files.js";

/** A digest of a value that each record replaces by the next: small states, never changed in place. */
export function foldDigest<T>(
  initial: T,
  next: (value: T, record: JsonObject) => T,
): Digest<{ value: T }, T> {
  return {
    begin: () => ({ value: initial }),
    add: (state, { value }) => {
      if (value !== undefined) state.value = next(state.value, value);
    },
    view: ({ value }, tail) => (tail?.value === undefined ? value : next(value, tail.value)),
    weigh: () => 512,
  };
}

/** Of `session.jsonl`. */
export const sessionLog = foldDigest(EMPTY_LOG, followLog);
