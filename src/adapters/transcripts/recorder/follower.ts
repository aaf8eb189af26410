import type { RecordParts } from "./parts.js";
import type { LineLocation } from "./trace-rows.js";

/**
 * Follows the records of one file in order. It reports to a recorder which parts begin and end something, depending on all previous
 * records.
 *
 * @example a prompt after a prompt: `recorder.beginTurn(origin, part)`, which ends the turn before it
 */
export interface Follower<R extends RecordParts = RecordParts> {
  follow(record: R, place: LineLocation): void;
  /** Takes from a copy of another session's record the state that later records depend on. Default is nothing. */
  passCopy?(record: R, place: LineLocation): void;
}
