import type { Overview } from "../../../../src/domain/overview/overview.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { changeAddress } from "../../app/address-store.js";
import { usePreferences } from "../../app/preferences.js";
import { useOverview } from "../../app/use-overview.js";
import { zoneName } from "../../engine/sessions/zone-name.js";
import { type AddressQuery, changeQuery } from "../../model/address/address.js";
import {
  listAddress,
  type OverviewChoice,
  overviewQuery,
  readChoice,
} from "../../model/overview/overview-choice.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { Notice, ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { WhatBy, WhatFor } from "./breakdowns.js";
import { ConcurrencySection } from "./concurrency-section.js";
import { CostliestCalls, CostliestSessions } from "./costliest.js";
import { CoverageLine } from "./coverage-line.js";
import { Failing } from "./failing.js";
import { Figures, PaceLine } from "./figures.js";
import styles from "./overview.module.css";
import { OverviewBar } from "./overview-bar.js";
import { UsageSection } from "./usage-section.js";

/** The address stores the choices. */
export default function OverviewView({ query }: { readonly query: AddressQuery }) {
  const { zone } = usePreferences();
  const name = zoneName(zone);
  const choice = readChoice(query);
  const now = Date.now();
  const { overview, problem, isStale, retry } = useOverview(overviewQuery(choice, now, zone, name));
  const change = (changes: AddressQuery) => changeAddress(changeQuery(query, changes), false);
  const isRefused = problem !== undefined && (overview === undefined || problem.status === 400);
  const addressOf = (filter: string | undefined) =>
    filter === undefined ? undefined : listAddress(choice, filter, now, zone);
  return (
    <div className={styles.view} aria-busy={overview === undefined && problem === undefined}>
      <h1 className="visually-hidden">{strings.title}</h1>
      <OverviewBar
        choice={choice}
        zone={zone}
        zoneName={name}
        onChange={change}
        // Typing replaces the address with every letter: "back" skips these.
        onFilter={(filter) => changeAddress(changeQuery(query, { filter }))}
      />
      {isRefused ? (
        <Refusal problem={problem} onRetry={retry} />
      ) : isEmpty(overview) ? (
        <NoSessions choice={choice} onChange={change} />
      ) : (
        <div className={styles.content} data-stale={isStale}>
          {problem !== undefined && <ProblemBanner problem={problem} />}
          {overview?.warnings !== undefined && (
            <p className={styles.missing} role="alert">
              {STRINGS.list.missing} {overview.warnings.map(({ reason }) => reason).join(" ")}
            </p>
          )}
          <CoverageLine coverage={overview?.coverage} />
          <Figures overview={overview} />
          <PaceLine overview={overview} zone={zone} />
          <UsageSection overview={overview} choice={choice} zone={zone} onChange={change} />
          {overview !== undefined && <ConcurrencySection overview={overview} zone={zone} />}
          {overview !== undefined && (
            <div className={styles.tables}>
              <div className={styles.column}>
                <WhatFor overview={overview} addressOf={addressOf} />
                <CostliestSessions overview={overview} />
              </div>
              <div className={styles.column}>
                <WhatBy overview={overview} addressOf={addressOf} />
                <CostliestCalls overview={overview} />
              </div>
            </div>
          )}
          {overview !== undefined && <Failing overview={overview} addressOf={addressOf} />}
        </div>
      )}
    </div>
  );
}

/** All sessions are read, and none was active in the range. */
function isEmpty(overview: Overview | undefined): boolean {
  return overview !== undefined && overview.coverage.sessions === 0 && overview.coverage.unread === 0;
}

interface RefusalProps {
  readonly problem: ApiProblem;
  onRetry(): void;
}

function Refusal({ problem, onRetry }: RefusalProps) {
  if (problem.status === 400) {
    return (
      <Notice title={strings.badFilter}>
        <p>{problem.detail}</p>
      </Notice>
    );
  }
  if (problem.kind === "missing") return <Notice title={strings.missing}>{strings.missingHint}</Notice>;
  return <ProblemNotice problem={problem} onRetry={onRetry} />;
}

interface NoSessionsProps {
  readonly choice: OverviewChoice;
  onChange(changes: AddressQuery): void;
}

function NoSessions({ choice: { range, filter }, onChange }: NoSessionsProps) {
  if (range === "all" && filter === "") return <Notice title={strings.none}>{strings.noneHint}</Notice>;
  return (
    <Notice title={filter === "" ? strings.noneInRange : strings.noneMatches}>
      <p className={styles.ways}>
        {range !== "all" && (
          <button type="button" onClick={() => onChange({ range: "all", by: "", from: "", to: "" })}>
            {strings.allTime}
          </button>
        )}
        {filter !== "" && (
          <button type="button" onClick={() => onChange({ filter: "" })}>
            {strings.clearFilter}
          </button>
        )}
      </p>
    </Notice>
  );
}
