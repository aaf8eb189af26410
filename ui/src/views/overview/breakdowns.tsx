import type { NamedTotals, Overview } from "../../../../src/domain/overview/overview.js";
import {
  ABSENT,
  formatCount,
  formatDuration,
  formatShare,
  hasNoPrice,
} from "../../../../src/domain/text/figures.js";
import { cacheShare, errorRate } from "../../model/overview/overview-figures.js";
import { shortModel } from "../../model/text/model-name.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { costText, projectText, tokensText } from "./overview-texts.js";
import { type RankedColumn, RankedTable } from "./ranked-table.js";

export interface BreakdownProps {
  readonly overview: Overview;
  addressOf(filter: string | undefined): string | undefined;
}

const { columns } = strings;

type Column = RankedColumn<NamedTotals>;

const COST: Column = {
  name: columns.cost,
  value: ({ cost }) => (hasNoPrice(cost) ? undefined : cost.usd),
  cell: costText,
};
const TOKENS: Column = {
  name: columns.tokens,
  value: ({ tokens }) => tokens || undefined,
  cell: tokensText,
};
const SESSIONS: Column = {
  name: columns.sessions,
  value: ({ sessions }) => sessions,
  cell: ({ sessions }) => formatCount(sessions),
};
const ERRORS: Column = {
  name: columns.errorRate,
  hint: strings.figures.errorRateHint,
  value: errorRate,
  cell: (totals) => formatShare(errorRate(totals)),
};
const ACTIVE: Column = {
  name: columns.active,
  hint: strings.figures.activeHint,
  value: ({ activeMs }) => activeMs,
  cell: ({ activeMs }) => (activeMs === undefined ? ABSENT : formatDuration(activeMs)),
};
const CALLS: Column = {
  name: columns.modelCalls,
  value: ({ modelCalls }) => modelCalls,
  cell: ({ modelCalls }) => formatCount(modelCalls),
};
const CACHE: Column = {
  name: columns.cacheHits,
  hint: strings.figures.cacheHitsHint,
  value: ({ usage }) => cacheShare(usage),
  cell: ({ usage }) => formatShare(cacheShare(usage)),
};

interface NamedTableProps extends BreakdownProps {
  readonly title: string;
  readonly name: string;
  readonly rows: readonly NamedTotals[];
  readonly columns: readonly Column[];
  label(name: string): string;
}

function NamedTable({
  title,
  name,
  rows,
  overview,
  addressOf,
  label,
  columns: visibleColumns,
}: NamedTableProps) {
  const { usd } = overview.total.cost;
  return (
    <RankedTable
      title={title}
      rows={rows}
      name={name}
      rowKey={(row) => row.name}
      label={(row) => label(row.name)}
      hint={(row) => row.name || undefined}
      address={(row) => addressOf(row.filter)}
      share={({ cost }) => (usd === 0 ? 0 : cost.usd / usd)}
      columns={visibleColumns}
    />
  );
}

function namedRows(rows: readonly NamedTotals[]): readonly NamedTotals[] {
  return rows.some(({ name }) => name !== "") ? rows : [];
}

export function WhatFor(props: BreakdownProps) {
  const { projects, users, sources } = props.overview;
  return (
    <>
      <NamedTable
        {...props}
        title={strings.projects}
        name={columns.project}
        rows={namedRows(projects)}
        columns={[COST, TOKENS, SESSIONS, ERRORS, ACTIVE]}
        label={(name) => (name === "" ? strings.nameless.project : projectText(name))}
      />
      <NamedTable
        {...props}
        title={strings.users}
        name={columns.user}
        rows={namedRows(users)}
        columns={[COST, TOKENS, SESSIONS, ERRORS, ACTIVE]}
        label={(name) => name || strings.noUser}
      />
      <NamedTable
        {...props}
        title={strings.sources}
        name={columns.source}
        rows={sources.length > 1 ? sources : []}
        columns={[COST, TOKENS, SESSIONS, ERRORS, ACTIVE]}
        label={(name) => name || strings.nameless.source}
      />
    </>
  );
}

export function WhatBy(props: BreakdownProps) {
  const { models, roles } = props.overview;
  return (
    <>
      <NamedTable
        {...props}
        title={strings.models}
        name={columns.model}
        rows={namedRows(models)}
        columns={[COST, TOKENS, SESSIONS, CALLS, CACHE]}
        label={(name) => (name === "" ? strings.nameless.model : shortModel(name))}
      />
      <NamedTable
        {...props}
        title={strings.roles}
        name={columns.role}
        rows={namedRows(roles)}
        columns={[COST, TOKENS, SESSIONS, CALLS, CACHE]}
        label={(name) => name || strings.mainAgent}
      />
    </>
  );
}
