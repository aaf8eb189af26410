import { type InspectorSessionItem, stateOf } from "../../../../src/domain/session/session.js";
import { formatDuration } from "../../../../src/domain/text/figures.js";
import { usePreferences } from "../../app/preferences.js";
import { useNow } from "../../app/use-now.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import { type OpenedRoute, sessionAddress } from "../../model/address/address.js";
import { liveNow } from "../../model/live/live-now.js";
import { type ClockZone, formatInstant } from "../../model/text/formats.js";
import { STATUS_STRINGS as strings } from "../../strings/status-strings.js";
import { StateMark } from "../parts/status-mark.js";
import styles from "./session-header.module.css";
import { sessionLabel, stateSince } from "./session-label.js";

interface LiveStatusProps {
  readonly route: OpenedRoute;
  readonly session: SessionState;
}

/** The state of the list, with its time. Links to its step. */
export function LiveStatus({ route, session: { item, stateStep } }: LiveStatusProps) {
  useNow();
  const { zone } = usePreferences();
  if (item === undefined) return null;
  const label = sessionLabel(item, liveNow());
  const tip = tipText(item, zone);
  if (stateStep === undefined) return <StateMark item={item} label={label} tip={tip || undefined} />;
  return (
    <a
      href={sessionAddress(route, "trace", { event: stateStep })}
      data-tip={[tip, strings.show].filter(Boolean).join("\n")}
      className={styles.live}
    >
      <StateMark item={item} label={label} />
    </a>
  );
}

function tipText(item: InspectorSessionItem, zone: ClockZone): string {
  const { toolName, times, longestMs } = stateOf(item);
  const since = stateSince(item);
  const lines = [
    item.waitingFor !== undefined && strings.question(item.waitingFor),
    toolName !== undefined && strings.tool(toolName),
    times !== undefined && strings.looped(times),
    longestMs !== undefined && strings.longest(formatDuration(longestMs)),
    since !== undefined && strings.since(formatInstant(since, zone).slice(0, 19)),
  ];
  return lines.filter((line) => line !== false).join("\n");
}
