import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { usePreferences } from "../../app/preferences.js";
import { useNow } from "../../app/use-now.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import { type OpenedRoute, sessionAddress } from "../../model/address/address.js";
import { liveNow } from "../../model/live/live-now.js";
import type { LiveKind, LiveState } from "../../model/live/live-state.js";
import { type ClockZone, formatAgo, formatDuration, formatInstant } from "../../model/text/formats.js";
import { LIVE_STRINGS } from "../../strings/live-strings.js";
import { STATUS_STRINGS as strings } from "../../strings/status-strings.js";
import { SessionMark, StatusMark } from "../parts/status-mark.js";
import styles from "./session-header.module.css";

interface LiveStatusProps {
  readonly route: OpenedRoute;
  readonly session: SessionState;
}

/** Recognizable without color. */
const MARKS: { readonly [kind in LiveKind]: string } = {
  running: "running",
  waiting: "asking",
  stalled: "waiting",
  looping: "waiting",
  failed: "failed",
  done: "idle",
  unknown: "unknown",
};

/** Links to its step. Displays the list's status until it is available. */
export function LiveStatus({ route, session }: LiveStatusProps) {
  const now = useNow();
  const { zone } = usePreferences();
  const { item } = session;
  if (session.live === undefined) return item === undefined ? null : <SessionMark {...item} />;
  const live = { ...session.live, since: plausibleInstant(session.live.since) };
  const label = [LIVE_STRINGS[live.kind], liveTime(live, now)].filter(Boolean).join(" ");
  const mark = <StatusMark status={MARKS[live.kind]} label={label} />;
  const tip = tipText(live, zone);
  if (live.spanId === undefined) return tip === "" ? mark : <span data-tip={tip}>{mark}</span>;
  return (
    <a
      href={sessionAddress(route, "trace", { event: live.spanId })}
      data-tip={[tip, strings.show].filter(Boolean).join("\n")}
      className={styles.live}
    >
      {mark}
    </a>
  );
}

function liveTime({ kind, since, times }: LiveState, now: number): string {
  if (kind === "looping") return strings.times(times);
  if (since === undefined) return "";
  const isOver = kind === "failed" || kind === "done" || kind === "unknown";
  // No seconds: it updates every ten.
  return isOver
    ? formatAgo(since, now)
    : strings.for(formatDuration(Math.max(0, Math.floor((liveNow() - since) / 1000)) * 1000));
}

function tipText({ since, toolName, question, times, longestMs }: LiveState, zone: ClockZone): string {
  const lines = [
    question !== "" && strings.question(question),
    toolName !== "" && strings.tool(toolName),
    times > 0 && strings.looped(times),
    longestMs !== undefined && strings.longest(formatDuration(longestMs)),
    since !== undefined && strings.since(formatInstant(since, zone).slice(0, 19)),
  ];
  return lines.filter((line) => line !== false).join("\n");
}
