import { AT_LEAST, formatCount, formatDollars, hasNoPrice } from "../../../../src/domain/text/figures.js";
import { isServed } from "../../app/page-parts.js";
import type { SessionListState } from "../../engine/sessions/list-protocol.js";
import { type AddressQuery, SOURCES_ADDRESS } from "../../model/address/address.js";
import type { SessionCosts } from "../../model/sessions/session-costs.js";
import { readGrouping, writeGrouping } from "../../model/sessions/session-groups.js";
import type { SessionColumn } from "../../model/sessions/session-table.js";
import { FILTER_STRINGS } from "../../strings/filter-strings.js";
import { SOURCES_STRINGS } from "../../strings/sources-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { Listbox } from "../parts/listbox.js";
import { ColumnsMenu } from "./columns-menu.js";
import { FilterBar } from "./filter-bar.js";
import styles from "./sessions-view.module.css";
import type { VisibleColumns } from "./use-columns.js";
import { ViewsMenu } from "./views-menu.js";

const { list: strings } = STRINGS;

interface SessionFiltersProps {
  readonly query: AddressQuery;
  readonly list: SessionListState | undefined;
  readonly columns: VisibleColumns;
  onChange(changes: AddressQuery): void;
  /** @param columns `undefined` for those that sessions fill */
  onColumns(columns: readonly SessionColumn[] | undefined): void;
}

export function SessionFilters({ query, list, columns, onChange, onColumns }: SessionFiltersProps) {
  const hasFolders = list?.hasFolders ?? false;
  return (
    <search className={styles.filters} aria-label={strings.filters}>
      <FilterBar
        filter={query.filter ?? ""}
        version={list?.version ?? 0}
        undecided={list?.undecided ?? 0}
        onChange={(filter) => onChange({ filter })}
        onLeave={() => document.querySelector<HTMLElement>('main [role="grid"]')?.focus()}
      />
      <div className={styles.menus}>
        <Listbox
          label={strings.group}
          all={strings.groups.none}
          value={writeGrouping(readGrouping(query))}
          options={[
            { value: "project", label: strings.groups.project(hasFolders) },
            { value: "day", label: strings.groups.day },
          ]}
          onChoose={(group) => onChange({ group })}
        />
        <ColumnsMenu list={list} columns={columns.columns} onChange={onColumns} />
        <ViewsMenu query={query} columns={columns.chosen} />
        <output className={styles.count}>
          {list !== undefined &&
            (list.sessions > 0 || list.complete) &&
            (isServed ? (
              <a href={SOURCES_ADDRESS} title={SOURCES_STRINGS.toSourcesHint}>
                {countText(list, query)}
              </a>
            ) : (
              countText(list, query)
            ))}
          {list?.costs !== undefined &&
            !hasNoPrice(list.costs) &&
            ` · ${costText(list.costs, list.sessions)}`}
          {list?.loading &&
            !list.complete &&
            list.sessions > 0 &&
            !list.isNarrowing &&
            ` · ${strings.loadingMore}`}
          {query.sort !== undefined &&
            list?.complete === false &&
            !list.isNarrowing &&
            ` · ${strings.sortedSoFar}`}
        </output>
        {list?.complete === false && list.progress !== undefined && (
          <progress
            className={styles.progress}
            aria-label={strings.read}
            value={list.progress.read}
            max={list.progress.total}
          />
        )}
      </div>
    </search>
  );
}

/** Includes the number of sessions unless all have a cost. */
function costText({ usd, sessions, incomplete }: SessionCosts, listed: number): string {
  const cached = sessions === listed ? "" : strings.costsOf(formatCount(sessions));
  return incomplete === 0
    ? `${formatDollars(usd)}${cached}`
    : `${AT_LEAST}${formatDollars(usd)}${cached}${strings.incomplete(formatCount(incomplete))}`;
}

/** The number of matches is final only after all sessions were read. */
function countText(list: SessionListState, { filter, q }: AddressQuery): string {
  const { sessions, total: cached, progress, complete, isNarrowing } = list;
  const count = strings.count(formatCount(sessions), !complete && !isNarrowing);
  if (isNarrowing) return FILTER_STRINGS.narrowing(count);
  if (filter !== undefined && complete && cached !== undefined && cached > sessions && !q) {
    return FILTER_STRINGS.countOf(formatCount(sessions), formatCount(cached));
  }
  if (complete || filter !== undefined || q || progress === undefined) return count;
  return strings.countOf(formatCount(sessions), formatCount(progress.total));
}
