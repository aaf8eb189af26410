import type {
  FailureGroup,
  Overview,
  OverviewCoverage,
  OverviewRange,
  Pace,
  ToolTotals,
  UsageTotals,
} from "../../../domain/overview/overview.js";
import {
  ABOUT,
  ABSENT,
  formatCost,
  formatCount,
  formatDollars,
  formatDuration,
  formatEstimate,
  formatShare,
  formatTokens,
} from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { inColumns, type TableColumn } from "./table.js";
import { cutMiddle } from "./text-width.js";

const MOST_CAUSES = 8;
const CAUSE = 100;

const TIMES: ReadonlySet<string> = new Set(["hour", "day", "week", "month"]);

export function usageText(overview: Overview, width?: number): string {
  const { range, coverage, pace, total } = overview;
  if (coverage.sessions === 0)
    return text([`No session did anything ${rangeText(range)}.`, ...coverageLines(coverage)]);
  return text([
    ...tableLines(overview, width),
    "",
    ...(TIMES.has(range.by) ? [...paceLines(pace, range.zone), ...concurrencyLines(overview)] : []),
    `${formatCount(total.sessions, "session")} ${rangeText(range)}.`,
    ...coverageLines(coverage),
  ]);
}

function tableLines(overview: Overview, width: number | undefined): string[] {
  const { tools, failures, range } = overview;
  if (range.by === "tool") return [...toolLines(tools, width), ...causeLines(failures, range.zone, width)];
  return rowLines(overview, width);
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${visibleText(line).trimEnd()}\n`).join("");
}

interface Column<Row> {
  readonly name: string;
  readonly of: (row: Row) => string;
  readonly drop: number;
}

const USAGE_COLUMNS: readonly Column<UsageTotals>[] = [
  { name: "SESSIONS", drop: 3, of: ({ sessions }) => formatCount(sessions) },
  { name: "CALLS", drop: 5, of: ({ modelCalls }) => formatCount(modelCalls) },
  { name: "INPUT", drop: 2, of: ({ usage }) => formatTokens(usage.inputTokens) },
  { name: "OUTPUT", drop: 2, of: ({ usage }) => formatTokens(usage.outputTokens) },
  { name: "CACHE READ", drop: 6, of: ({ usage }) => formatTokens(usage.cacheReadTokens) },
  { name: "CACHE WRITE", drop: 7, of: ({ usage }) => formatTokens(usage.cacheWriteTokens) },
  { name: "COST", drop: 1, of: ({ cost }) => formatCost(cost) },
  {
    name: "FAILED",
    drop: 4,
    of: ({ failedModelCalls, failedToolCalls = 0 }) => formatCount(failedModelCalls + failedToolCalls),
  },
];

function rowLines({ rows, total, range: { by } }: Overview, width: number | undefined): string[] {
  const visible = rows.filter(({ sessions }) => sessions > 0);
  const cells = (row: UsageTotals) => USAGE_COLUMNS.map(({ of }) => of(row));
  const lines = [
    ...visible.map((row) => [row.name || ABSENT, ...cells(row)]),
    // Failures of tools belong to no model: the rows of models add up to the failures of model calls.
    ["TOTAL", ...cells(by === "model" ? { ...total, failedToolCalls: 0 } : total)],
  ];
  return table(by.toUpperCase(), USAGE_COLUMNS, lines, width);
}

const TOOL_COLUMNS: readonly Column<ToolTotals>[] = [
  { name: "CALLS", drop: 1, of: ({ calls }) => formatCount(calls) },
  { name: "FAILED", drop: 2, of: ({ failures }) => formatCount(failures) },
  { name: "ERROR RATE", drop: 3, of: rateText },
  { name: "P50", drop: 5, of: ({ p50Ms }) => formatDuration(p50Ms) },
  { name: "P95", drop: 4, of: ({ p95Ms }) => formatDuration(p95Ms) },
  { name: "RESULT TOKENS", drop: 6, of: ({ resultTokens }) => formatEstimate(resultTokens) },
  {
    name: "CARRYING COST",
    drop: 3,
    of: ({ carriedUsd }) => (carriedUsd === undefined ? ABSENT : `${ABOUT}${formatDollars(carriedUsd)}`),
  },
];

const PREVIOUS_COLUMNS: readonly Column<ToolTotals>[] = [
  {
    name: "BEFORE: ERROR RATE",
    drop: 7,
    of: ({ previous }) => (previous === undefined ? ABSENT : rateText(previous)),
  },
  { name: "P95", drop: 8, of: ({ previous }) => formatDuration(previous?.p95Ms) },
];

function toolLines(tools: readonly ToolTotals[], width: number | undefined): string[] {
  const hasPrevious = tools.some(({ previous }) => previous !== undefined);
  const columns = hasPrevious ? [...TOOL_COLUMNS, ...PREVIOUS_COLUMNS] : TOOL_COLUMNS;
  const rows = tools.map((tool) => [tool.name || ABSENT, ...columns.map(({ of }) => of(tool))]);
  return table("TOOL", columns, rows, width);
}

function table(
  title: string,
  columns: readonly Pick<Column<never>, "name" | "drop">[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string[] {
  return inColumns(
    [[title, ...columns.map(({ name }) => name)], ...rows.map((row) => row.map(visibleText))],
    [{ least: 12, cut: cutMiddle }, ...columns.map(({ drop }) => ({ isNumber: true, drop }))],
    width,
  );
}

function rateText({ calls, failures }: Pick<ToolTotals, "calls" | "failures">): string {
  return formatShare(calls === 0 ? undefined : failures / calls);
}

const CAUSE_COLUMNS: readonly TableColumn[] = [
  { isNumber: true },
  { isNumber: true, drop: 2 },
  { drop: 4 },
  { drop: 3 },
  { drop: 1 },
  { least: 20 },
];

function causeLines(failures: readonly FailureGroup[], zone: string, width: number | undefined): string[] {
  if (failures.length === 0) return [];
  const rows = failures
    .slice(0, MOST_CAUSES)
    .map(({ count, sessions, firstAt, lastAt, tool, cause }) => [
      formatCount(count),
      formatCount(sessions),
      plausibleTime(firstAt) === undefined ? ABSENT : localMinute(firstAt, zone),
      plausibleTime(lastAt) === undefined ? ABSENT : localMinute(lastAt, zone),
      tool ?? ABSENT,
      cause.length > CAUSE ? `${cause.slice(0, CAUSE - 1)}…` : cause,
    ]);
  const header = ["FAILED", "SESSIONS", "FIRST", "LAST", "TOOL", "CAUSE"];
  return ["", ...inColumns([header, ...rows.map((row) => row.map(visibleText))], CAUSE_COLUMNS, width)];
}

function paceLines(pace: Pace | undefined, zone: string): string[] {
  if (pace === undefined) return [];
  const { month, spentUsd, usd, since, usdPerDay } = pace;
  const name = new Date(`${month}-01T00:00:00Z`).toLocaleString("en", { month: "long", timeZone: "UTC" });
  const so = `${formatDollars(spentUsd)} so far, ${formatDollars(usdPerDay)} a day since ${localMinute(since, zone).slice(0, 10)}`;
  return [`At this pace ${formatDollars(usd)} in ${name} (${so}).`];
}

function concurrencyLines({ concurrency, range }: Overview): string[] {
  const { peakSessions, peakAgents, peakAt } = concurrency;
  if (peakSessions === 0 || peakAt === undefined) return [];
  const most = `${formatCount(peakSessions, "session")} and ${formatCount(peakAgents, "agent")}`;
  const when = plausibleTime(peakAt) === undefined ? "" : `, at ${localMinute(peakAt, range.zone)}`;
  return [`At most ${most} at a time${when}.`];
}

function rangeText({ from, to, zone }: OverviewRange): string {
  const until = `until ${localMinute(to, zone)} (${zone})`;
  return from === undefined ? until : `from ${localMinute(from, zone)} ${until}`;
}

function localMinute(instant: string, zone: string): string {
  const style = { dateStyle: "short", timeStyle: "short", timeZone: zone } as const;
  return new Date(instant).toLocaleString("sv", style);
}

function coverageLines({
  unread,
  withoutFacts,
  withoutCounts,
  partlyPriced,
  undecided,
  inFuture = 0,
}: OverviewCoverage): string[] {
  const lines = [
    [unread, "not completely read, and not in the sums"],
    [withoutFacts, "with totals only: the sums exclude tools, failures and times"],
    [withoutCounts, "without token counts"],
    [partlyPriced, "partly priced"],
    [undecided, "skipped: too little is recorded to apply the filter"],
    [inFuture, "dated after now: the sums exclude that part"],
  ] as const;
  return lines.flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count, "session")} ${what}.`]));
}
