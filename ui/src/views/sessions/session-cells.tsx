import type { ReactNode } from "react";
import { hasNoCounts, type InspectorSessionItem, isQuiet } from "../../../../src/domain/session/session.js";
import {
  ABSENT,
  formatCost,
  formatCount,
  formatDuration,
  formatLongCost,
  formatTokens,
  hasNoPrice,
} from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { isAhead, type SessionColumn, sessionDuration } from "../../model/sessions/session-table.js";
import { dayOf } from "../../model/text/days.js";
import { type ClockZone, formatAgo, formatClock, formatInstant } from "../../model/text/formats.js";
import { shortModel } from "../../model/text/model-name.js";
import { tenantName } from "../../model/text/tenant-name.js";
import { STRINGS } from "../../strings/strings.js";
import { SessionMark } from "../parts/status-mark.js";
import styles from "./session-table.module.css";

const { list: strings } = STRINGS;

interface Cell {
  readonly content: ReactNode;
  readonly full?: string;
}

export interface Clock {
  readonly now: number;
  readonly zone: ClockZone;
  readonly ofDay: boolean;
}

type FactColumn = Exclude<SessionColumn, "title">;

export function factOf(column: FactColumn, session: InspectorSessionItem, clock: Clock): Cell | undefined {
  switch (column) {
    case "status":
      return isQuiet(session) ? undefined : { content: <SessionMark item={session} /> };
    case "source":
      return session.source === undefined ? undefined : { content: session.source, full: session.source };
    case "tenant": {
      const { name, full } = tenantName(session);
      return { content: name, full };
    }
    case "user":
      return session.userId === ""
        ? { content: <span className={styles.none}>{strings.noUser}</span> }
        : { content: session.userId, full: session.userId };
    case "model":
      return session.model ? { content: shortModel(session.model), full: session.model } : undefined;
    case "errors":
      return session.errors
        ? { content: numberWith(formatCount(session.errors), strings.units.errors(session.errors)) }
        : undefined;
    case "duration":
      return durationOf(session, clock);
    case "turns":
      return { content: numberWith(formatCount(session.turns), strings.units.turns(session.turns)) };
    case "tokens":
      if (hasNoCounts(session)) return { content: <NoCounts />, full: STRINGS.noTokenCounts };
      return {
        content: numberWith(formatTokens(session.tokens), strings.units.tokens),
        full: `${formatCount(session.tokens)} ${strings.units.tokens}`,
      };
    case "cost":
      return session.cost && costOf(session.cost);
    case "active":
      return activityOf(session, clock);
    default:
      return column satisfies never;
  }
}

/** There is room for a dash only. */
function NoCounts() {
  return (
    <>
      <span aria-hidden="true">{ABSENT}</span>
      <span className="visually-hidden">{STRINGS.noTokenCounts}</span>
    </>
  );
}

/** Displays the unit if no heading states it. */
function numberWith(text: string, unit: string): ReactNode {
  return (
    <>
      {text}
      <span className={styles.unit}> {unit}</span>
    </>
  );
}

function costOf(cost: Cost): Cell {
  const text = formatCost(cost);
  return {
    content: hasNoPrice(cost) ? <span className={styles.none}>{text}</span> : text,
    full: formatLongCost(cost),
  };
}

function durationOf(session: InspectorSessionItem, { zone }: Clock): Cell | undefined {
  const durationMs = sessionDuration(session);
  if (durationMs === undefined) return undefined;
  const exact = (timestamp: string) => formatInstant(Date.parse(timestamp), zone).slice(0, 19);
  return {
    content: formatDuration(durationMs),
    full: strings.lasted(exact(session.createdAt!), exact(session.lastActive)),
  };
}

/** Elapsed time and date. For today, or below a day's heading, the time of day replaces the date. */
function activityOf(session: InspectorSessionItem, { now, zone, ofDay }: Clock): Cell | undefined {
  const { lastActive } = session;
  const at = plausibleInstant(lastActive);
  if (at === undefined) return undefined;
  const day = dayOf(lastActive, zone);
  const isToday = day === dayOf(new Date(now).toISOString(), zone);
  return {
    content: (
      <time dateTime={lastActive} data-ahead={isAhead(session, now)}>
        <span>{formatAgo(at, now)}</span>
        <span className={styles.date}>{isToday || ofDay ? formatClock(at, zone).slice(0, 5) : day}</span>
      </time>
    ),
    full: `${formatInstant(at, zone)}${zone === "utc" ? "Z" : ""}${isAhead(session, now) ? `\n${strings.ahead}` : ""}`,
  };
}
