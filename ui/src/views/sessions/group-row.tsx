import { dayOf, daysBefore, weekday } from "../../model/days.js";
import { formatCount, formatTokens, type TimeZone } from "../../model/formats.js";
import type { SessionGroup } from "../../model/session-groups.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./session-table.module.css";

const { list: strings } = STRINGS;

interface GroupRowProps {
  readonly id: string;
  readonly "aria-rowindex": number;
  readonly style: { readonly transform: string };
  readonly group: SessionGroup;
  readonly now: number;
  readonly zone: TimeZone;
}

/** The heading of a group: its project or day, how many sessions, and their tokens. */
export function GroupRow({ group, now, zone, ...row }: GroupRowProps) {
  const { project, key, source, sessions, tokens } = group;
  return (
    <div {...row} role="row" className={styles.group}>
      <div role="gridcell">
        {project === undefined ? (
          <strong>{dayText(key, now, zone)}</strong>
        ) : (
          <strong title={project.whole}>{project.name}</strong>
        )}
        {` ${strings.count(formatCount(sessions), false)} · ${formatTokens(tokens)} ${strings.units.tokens}`}
        {source !== undefined && ` · ${source}`}
      </div>
    </div>
  );
}

function dayText(day: string, now: number, zone: TimeZone): string {
  if (day === "") return strings.noDay;
  const before = daysBefore(day, dayOf(new Date(now).toISOString(), zone));
  const date = `${strings.weekdays[weekday(day)]} ${day}`;
  return before === 0 ? `${strings.today} · ${date}` : before === 1 ? `${strings.yesterday} · ${date}` : date;
}
