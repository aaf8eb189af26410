import {
  type InspectorSessionItem,
  STATE_WORDS,
  type StateMembers,
  stateOf,
} from "../../../../src/domain/session/session.js";
import { formatDuration } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { formatAgo } from "../../model/text/formats.js";
import { STATUS_STRINGS as strings } from "../../strings/status-strings.js";

type LabelMembers = StateMembers & Pick<InspectorSessionItem, "lastActive">;

/** Milliseconds since the epoch. Without recorded work, the state lasts since the last activity. */
export function stateSince(item: LabelMembers): number | undefined {
  return plausibleInstant(stateOf(item).since ?? item.lastActive);
}

/**
 * @param now milliseconds since the epoch
 * @example sessionLabel(item, now) // "Stalled for 12m 00s"
 */
export function sessionLabel(item: LabelMembers, now: number): string {
  const { kind, times = 0 } = stateOf(item);
  const since = stateSince(item);
  if (kind === "looping") return `${STATE_WORDS[kind]} ${strings.times(times)}`;
  if (since === undefined) return STATE_WORDS[kind];
  const isOver = kind === "failed" || kind === "done" || kind === "stopped";
  // No seconds' fractions: the label updates every ten seconds.
  const ms = Math.max(0, Math.floor((now - since) / 1000)) * 1000;
  return `${STATE_WORDS[kind]} ${isOver ? formatAgo(since, now) : strings.for(formatDuration(ms))}`;
}
