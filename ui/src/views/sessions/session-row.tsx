import { type MouseEvent, memo, type PointerEvent } from "react";
import { type InspectorSessionItem, isQuiet } from "../../../../src/domain/session/session.js";
import { formatCount, formatTokens } from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import type { SessionGroup } from "../../model/sessions/session-groups.js";
import type { SessionColumn, SessionLine } from "../../model/sessions/session-table.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { dayOf, daysBefore, weekday } from "../../model/text/days.js";
import type { ClockZone } from "../../model/text/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { SessionMark } from "../parts/status-mark.js";
import { factOf } from "./session-cells.js";
import styles from "./session-table.module.css";
import { hasPreview } from "./use-preview.js";

export interface RowEvents {
  onPointer(event: PointerEvent<HTMLElement>, session: InspectorSessionItem): void;
  onLeave(): void;
  onOpen(session: InspectorSessionItem): void;
}

interface SessionRowProps {
  readonly index: number;
  readonly top: number;
  readonly line: SessionLine | undefined;
  readonly columns: readonly SessionColumn[];
  readonly now: number;
  readonly zone: ClockZone;
  readonly ofDay: boolean;
  readonly selected: boolean;
  readonly isPreviewed: boolean;
  readonly events: RowEvents;
}

/** Placed by offset: only visible rows are rendered. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { index, top, line, columns, now, zone, ofDay, selected, isPreviewed, events } = props;
  const common = {
    id: `session-${index}`,
    "aria-rowindex": index + 2,
    style: { transform: `translateY(${top}px)` },
  };
  if (line === undefined) return <div {...common} role="row" className={styles.row} aria-busy="true" />;
  if (line.type === "group") return <GroupRow {...common} group={line} now={now} zone={zone} />;
  const { session } = line;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table opens the selected row by Enter
    <div
      {...common}
      role="row"
      className={styles.row}
      aria-selected={selected}
      aria-describedby={isPreviewed ? "session-preview" : undefined}
      onPointerMove={(event) => events.onPointer(event, session)}
      onPointerLeave={events.onLeave}
      onClick={openLink}
      onAuxClick={openLink}
    >
      <div role="gridcell" data-column="title">
        {session.warnings !== undefined && (
          <span className={styles.warned} role="img" {...warned(session.warnings)}>
            ⚠
          </span>
        )}
        {!columns.includes("status") && !isQuiet(session) && (
          <span className={styles.status}>
            <SessionMark item={session} />
          </span>
        )}
        <a
          href={sessionAddress(session)}
          title={hasPreview(session) ? undefined : (session.title ?? session.sessionId)}
          tabIndex={-1}
          onClick={() => events.onOpen(session)}
        >
          {sessionTitle(session) ?? <code>{session.sessionId}</code>}
        </a>
      </div>
      {columns.map((column) => {
        if (column === "title") return null;
        const fact = factOf(column, session, { now, zone, ofDay });
        return (
          <div key={column} role="gridcell" data-column={column} title={fact?.full}>
            {fact?.content}
          </div>
        );
      })}
    </div>
  );
});

/** Passes button and keys on to the link: they may open another tab. */
function openLink(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest("a") !== null) return;
  const { type, currentTarget } = event;
  if (type === "auxclick" && event.button !== 1) return;
  currentTarget.querySelector("a")?.dispatchEvent(new window.MouseEvent("click", event));
}

function warned(warnings: number) {
  const text = STRINGS.header.warnings(warnings);
  return { title: text, "aria-label": text };
}

const { list: strings } = STRINGS;

interface GroupRowProps {
  readonly id: string;
  readonly "aria-rowindex": number;
  readonly style: { readonly transform: string };
  readonly group: SessionGroup;
  readonly now: number;
  readonly zone: ClockZone;
}

function GroupRow({ group, now, zone, ...row }: GroupRowProps) {
  const { project, key, source, sessions, tokens } = group;
  return (
    <div {...row} role="row" className={styles.group}>
      <div role="gridcell">
        {project === undefined ? (
          <strong>{dayText(key, now, zone)}</strong>
        ) : (
          <strong title={project.full}>{project.name}</strong>
        )}
        {` ${strings.count(formatCount(sessions), false)}`}
        {tokens > 0 && ` · ${formatTokens(tokens)} ${strings.units.tokens}`}
        {source !== undefined && ` · ${source}`}
      </div>
    </div>
  );
}

function dayText(day: string, now: number, zone: ClockZone): string {
  if (day === "") return strings.noDay;
  const before = daysBefore(day, dayOf(new Date(now).toISOString(), zone));
  const date = `${strings.weekdays[weekday(day)]} ${day}`;
  return before === 0 ? `${strings.today} · ${date}` : before === 1 ? `${strings.yesterday} · ${date}` : date;
}
