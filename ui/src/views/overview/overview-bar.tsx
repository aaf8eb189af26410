import { STACKINGS } from "../../../../src/domain/overview/overview.js";
import type { AddressQuery } from "../../model/address/address.js";
import {
  boundsOf,
  MEASURES,
  type OverviewChoice,
  RANGES,
  type RangeName,
  timesOf,
} from "../../model/overview/overview-choice.js";
import { addDays, dayOf } from "../../model/text/days.js";
import type { ClockZone } from "../../model/text/formats.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { FilterBar } from "../sessions/filter-bar.js";
import { Options } from "./options.js";
import styles from "./overview.module.css";

interface OverviewBarProps {
  readonly choice: OverviewChoice;
  readonly zone: ClockZone;
  readonly zoneName: string;
  onChange(changes: AddressQuery): void;
  onFilter(filter: string): void;
}

export function OverviewBar({ choice, zone, zoneName, onChange, onFilter }: OverviewBarProps) {
  const { range, by, stack, measure, filter } = choice;
  const chooseRange = (name: RangeName) => {
    const days = name === "custom" ? visibleDays(choice, zone) : { from: "", to: "" };
    onChange({ range: name, by: "", ...days });
  };
  return (
    <search className={styles.bar} aria-label={strings.range}>
      <Options
        label={strings.range}
        options={RANGES}
        names={strings.ranges}
        chosen={range}
        onChoose={chooseRange}
      />
      {range === "custom" && <Days choice={choice} zone={zone} onChange={onChange} />}
      <Options
        label={strings.by}
        options={timesOf(choice)}
        names={strings.times}
        chosen={by}
        onChoose={(name) => onChange({ by: name })}
      />
      <Options
        label={strings.measure}
        options={MEASURES}
        names={strings.measures}
        chosen={measure}
        onChoose={(name) => onChange({ measure: name })}
      />
      <Options
        label={strings.stack}
        options={STACKINGS}
        names={strings.stacks}
        chosen={stack}
        onChoose={(name) => onChange({ stack: name })}
      />
      <div className={styles.which}>
        <FilterBar
          filter={filter}
          version={0}
          undecided={0}
          onChange={onFilter}
          onLeave={() => document.getElementById("content")?.focus()}
        />
        <small className={styles.zone}>{strings.zone(zoneName)}</small>
      </div>
    </search>
  );
}

function Days({ choice, zone, onChange }: Omit<OverviewBarProps, "zoneName" | "onFilter">) {
  const { from, to } = visibleDays(choice, zone);
  return (
    <span className={styles.days}>
      <input
        type="date"
        aria-label={strings.from}
        value={from}
        max={to}
        onChange={(event) => onChange({ from: event.currentTarget.value, to, by: "" })}
      />
      <span aria-hidden="true">–</span>
      <input
        type="date"
        aria-label={strings.to}
        value={to}
        min={from}
        onChange={(event) => onChange({ from, to: event.currentTarget.value, by: "" })}
      />
    </span>
  );
}

function visibleDays(
  choice: OverviewChoice,
  zone: ClockZone,
): { readonly from: string; readonly to: string } {
  const now = Date.now();
  const { from = "", to } = boundsOf(choice, now, zone);
  const day = (text: string) => (text.includes("T") ? dayOf(text, zone) : text);
  if (to === undefined) return { from: day(from), to: dayOf(new Date(now).toISOString(), zone) };
  return { from: day(from), to: to.includes("T") ? day(to) : addDays(to, -1) };
}
