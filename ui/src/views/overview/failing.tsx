import type { FailureGroup, ToolTotals } from "../../../../src/domain/overview/overview.js";
import {
  ABOUT,
  ABSENT,
  formatCount,
  formatDollars,
  formatDuration,
  formatEstimate,
  formatShare,
} from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { changeText, failureShare } from "../../model/overview/overview-figures.js";
import { terminalRuns } from "../../model/text/terminal-text.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { Instant } from "../parts/instant.js";
import type { BreakdownProps } from "./breakdowns.js";
import { type RankedColumn, RankedTable } from "./ranked-table.js";

const { columns } = strings;

const p95Change = ({ p95Ms, previous }: ToolTotals) =>
  p95Ms === undefined || !previous?.p95Ms ? undefined : p95Ms / previous.p95Ms;

const TOOL_COLUMNS: readonly RankedColumn<ToolTotals>[] = [
  { name: columns.calls, value: ({ calls }) => calls, cell: ({ calls }) => formatCount(calls) },
  { name: columns.failures, value: ({ failures }) => failures, cell: failuresText },
  { name: columns.errorRate, value: failureShare, cell: (row) => formatShare(failureShare(row)) },
  { name: columns.p50, value: ({ p50Ms }) => p50Ms, cell: ({ p50Ms }) => formatDuration(p50Ms) },
  { name: columns.p95, value: ({ p95Ms }) => p95Ms, cell: ({ p95Ms }) => formatDuration(p95Ms) },
  {
    name: columns.p95Change,
    hint: strings.p95ChangeHint,
    value: p95Change,
    cell: ({ p95Ms, previous }) => changeText(p95Ms ?? 0, previous?.p95Ms) ?? "",
  },
  {
    name: columns.resultTokens,
    hint: strings.resultTokensHint,
    value: ({ resultTokens }) => resultTokens,
    cell: ({ resultTokens }) => formatEstimate(resultTokens),
  },
  {
    name: columns.carried,
    hint: strings.carriedHint,
    value: ({ carriedUsd }) => carriedUsd,
    cell: ({ carriedUsd }) => (carriedUsd === undefined ? ABSENT : `${ABOUT}${formatDollars(carriedUsd)}`),
  },
];

function withoutColours(cause: string): string {
  return terminalRuns(cause)
    .map(({ text }) => text)
    .join("");
}

function failuresText({ failures, refused }: ToolTotals): string {
  const refusals = refused === 0 ? "" : `, ${strings.refused(formatCount(refused))}`;
  return `${formatCount(failures)}${refusals}`;
}

const FAILURE_COLUMNS: readonly RankedColumn<FailureGroup>[] = [
  { name: columns.count, value: ({ count }) => count, cell: ({ count }) => formatCount(count) },
  {
    name: columns.sessions,
    value: ({ sessions }) => sessions,
    cell: ({ sessions }) => formatCount(sessions),
  },
  { name: columns.tool, value: ({ tool }) => tool, cell: ({ tool = "" }) => tool },
  {
    name: columns.first,
    value: ({ firstAt }) => firstAt,
    cell: ({ firstAt }) => <Instant at={Date.parse(firstAt)} now={Date.now()} />,
  },
  {
    name: columns.last,
    value: ({ lastAt }) => lastAt,
    cell: ({ lastAt, last }) => (
      <a href={sessionAddress(last, "trace", { errors: "1" })}>
        <Instant at={Date.parse(lastAt)} now={Date.now()} />
      </a>
    ),
  },
];

export function Failing({ overview, addressOf }: BreakdownProps) {
  const { tools, failures } = overview;
  const most = Math.max(1, ...tools.map(({ calls }) => calls));
  const mostFailed = Math.max(1, ...failures.map(({ count }) => count));
  return (
    <>
      <RankedTable
        title={strings.failures}
        rows={failures}
        name={columns.cause}
        rowKey={({ cause, tool }) => `${tool} ${cause}`}
        label={({ cause }) => withoutColours(cause)}
        address={({ filter }) => addressOf(filter)}
        share={({ count }) => count / mostFailed}
        columns={FAILURE_COLUMNS}
      />
      <RankedTable
        title={strings.tools}
        rows={tools}
        name={columns.tool}
        rowKey={({ name }) => name}
        label={({ name }) => name}
        address={({ filter }) => addressOf(filter)}
        share={({ calls }) => calls / most}
        columns={TOOL_COLUMNS}
      />
    </>
  );
}
