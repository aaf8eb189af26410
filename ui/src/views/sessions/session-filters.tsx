import type { SessionListState } from "../../engine/list-protocol.js";
import { type AddressQuery, SOURCES_ADDRESS } from "../../model/address.js";
import { formatCount, formatDollars } from "../../model/formats.js";
import { hasNoPrice, type SessionCosts } from "../../model/session-costs.js";
import { readGrouping, writeGrouping } from "../../model/session-groups.js";
import { SOURCES_STRINGS } from "../../strings/sources-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { Choice } from "../parts/choice.js";
import styles from "./sessions-view.module.css";

const { list: strings, columns, statuses } = STRINGS;

interface SessionFiltersProps {
  readonly query: AddressQuery;
  readonly list: SessionListState | undefined;
  onChange(changes: AddressQuery): void;
}

/** Which sessions are listed, how they are grouped, and how many there are. */
export function SessionFilters({ query, list, onChange }: SessionFiltersProps) {
  const hasFolders = list?.hasFolders ?? false;
  return (
    <search className={styles.filters} aria-label={strings.filters}>
      {((list?.sources ?? []).length > 0 || query.source !== undefined) && (
        <Choice
          label={columns.source}
          all={strings.anySource}
          value={query.source ?? ""}
          options={(list?.sources ?? []).map((value) => ({ value }))}
          onChoose={(source) => onChange({ source })}
        />
      )}
      <Choice
        label={hasFolders ? strings.project : columns.tenant}
        all={hasFolders ? strings.anyProject : strings.anyTenant}
        value={query.tenant ?? ""}
        options={list?.tenants ?? []}
        onChoose={(tenant) => onChange({ tenant })}
      />
      {!(list?.complete && list.users.length === 0 && query.user === undefined) && (
        <Choice
          label={columns.user}
          all={strings.anyUser}
          value={query.user ?? ""}
          options={(list?.users ?? []).map((value) => ({ value }))}
          onChoose={(user) => onChange({ user })}
        />
      )}
      <Choice
        label={columns.status}
        all={strings.anyStatus}
        value={query.status ?? ""}
        options={Array.from(statuses, ([value, label]) => ({ value, label }))}
        onChoose={(status) => onChange({ status })}
      />
      <Choice
        label={strings.group}
        all={strings.groups.none}
        value={writeGrouping(readGrouping(query))}
        options={[
          { value: "project", label: strings.groups.project(hasFolders) },
          { value: "day", label: strings.groups.day },
        ]}
        onChoose={(group) => onChange({ group })}
      />
      <output className={styles.count}>
        {list !== undefined && (list.sessions > 0 || list.complete) && (
          <a href={SOURCES_ADDRESS} title={SOURCES_STRINGS.toSourcesHint}>
            {countText(list, query)}
          </a>
        )}
        {list?.costs !== undefined && !hasNoPrice(list.costs) && ` · ${costText(list.costs, list.sessions)}`}
        {list?.loading && !list.complete && list.sessions > 0 && ` · ${strings.loadingMore}`}
        {query.sort !== undefined && list?.complete === false && ` · ${strings.sortedSoFar}`}
      </output>
      {list?.complete === false && list.progress !== undefined && (
        <progress
          className={styles.progress}
          aria-label={strings.read}
          value={list.progress.read}
          max={list.progress.total}
        />
      )}
    </search>
  );
}

/** What all that are listed cost. It says of how many, where not of all of them. */
function costText({ usd, sessions, incomplete }: SessionCosts, listed: number): string {
  const known = sessions === listed ? "" : strings.costsOf(formatCount(sessions));
  return incomplete === 0
    ? `${formatDollars(usd)}${known}`
    : `≥ ${formatDollars(usd)}${known}${strings.incomplete(formatCount(incomplete))}`;
}

/** With other filters than the tenant's, nobody knows how many sessions match before all were read. */
function countText(
  { sessions, progress, complete }: SessionListState,
  { user, status, q }: AddressQuery,
): string {
  const isFiltered = Boolean(user || status || q);
  if (complete || isFiltered || progress === undefined)
    return strings.count(formatCount(sessions), !complete);
  return strings.countOf(formatCount(sessions), formatCount(progress.total));
}
