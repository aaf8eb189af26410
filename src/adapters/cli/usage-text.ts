import type {
  FailureGroup,
  Overview,
  OverviewCoverage,
  OverviewRange,
  Pace,
  ToolTotals,
  UsageTotals,
} from "../../domain/overview/overview.js";
import { COUNT, countText } from "../../domain/text/figure-texts.js";
import { visibleText } from "../../domain/text/visible-text.js";
import { plausibleTime } from "../../domain/trace/instant.js";
import { dollarsText, inColumns, moneyText } from "./text.js";

/** How many causes of failures are printed; the JSON has more. */
const MOST_CAUSES = 8;
const CAUSE = 100;

const TIMES: ReadonlySet<string> = new Set(["hour", "day", "week", "month"]);

/** What sessions did and cost together, for people: a table by what was asked for, and below it what it covers. */
export function usageText(overview: Overview): string {
  const { range, coverage, pace, total } = overview;
  if (coverage.sessions === 0)
    return text([`No session did anything ${rangeText(range)}.`, ...coverageLines(coverage)]);
  return text([
    ...tableLines(overview),
    "",
    ...(TIMES.has(range.by) ? [...paceLines(pace, range.zone), ...concurrencyLines(overview)] : []),
    `${countText(total.sessions, "session")} ${rangeText(range)}.`,
    ...coverageLines(coverage),
  ]);
}

function tableLines(overview: Overview): string[] {
  const { tools, failures, range } = overview;
  if (range.by === "tool") return [...toolLines(tools), ...causeLines(failures, range.zone)];
  return rowLines(overview);
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${visibleText(line).trimEnd()}\n`).join("");
}

interface Column<Row> {
  readonly name: string;
  readonly of: (row: Row) => string;
}

const USAGE_COLUMNS: readonly Column<UsageTotals>[] = [
  { name: "SESSIONS", of: ({ sessions }) => COUNT.format(sessions) },
  { name: "CALLS", of: ({ modelCalls }) => COUNT.format(modelCalls) },
  { name: "INPUT", of: ({ usage }) => COUNT.format(usage.inputTokens) },
  { name: "OUTPUT", of: ({ usage }) => COUNT.format(usage.outputTokens) },
  { name: "CACHE READ", of: ({ usage }) => COUNT.format(usage.cacheReadTokens) },
  { name: "CACHE WRITE", of: ({ usage }) => COUNT.format(usage.cacheWriteTokens) },
  { name: "COST", of: ({ cost }) => dollarsText(cost) },
  {
    name: "FAILED",
    of: ({ failedModelCalls, failedToolCalls = 0 }) => COUNT.format(failedModelCalls + failedToolCalls),
  },
];

/** Times in which nothing happened are left out. */
function rowLines({ rows, total, range: { by } }: Overview): string[] {
  const shown = rows.filter(({ sessions }) => sessions > 0);
  const cells = (row: UsageTotals) => USAGE_COLUMNS.map(({ of }) => of(row));
  return table([
    [by.toUpperCase(), ...USAGE_COLUMNS.map(({ name }) => name)],
    ...shown.map((row) => [row.name || "-", ...cells(row)]),
    // What failed of tools is of no model: their rows add up to what failed of model calls.
    ["TOTAL", ...cells(by === "model" ? { ...total, failedToolCalls: 0 } : total)],
  ]);
}

const TOOL_COLUMNS: readonly Column<ToolTotals>[] = [
  { name: "CALLS", of: ({ calls }) => COUNT.format(calls) },
  { name: "FAILED", of: ({ failures }) => COUNT.format(failures) },
  { name: "ERROR RATE", of: (tool) => rateText(tool) },
  { name: "P50", of: ({ p50Ms }) => lengthText(p50Ms) },
  { name: "P95", of: ({ p95Ms }) => lengthText(p95Ms) },
  { name: "RESULT TOKENS", of: ({ resultTokens }) => COUNT.format(Math.round(resultTokens)) },
  {
    name: "CARRYING COST",
    of: ({ carriedUsd }) => (carriedUsd === undefined ? "-" : moneyText(carriedUsd)),
  },
];

const PREVIOUS_COLUMNS: readonly Column<ToolTotals>[] = [
  { name: "BEFORE: ERROR RATE", of: ({ previous }) => (previous === undefined ? "-" : rateText(previous)) },
  { name: "P95", of: ({ previous }) => lengthText(previous?.p95Ms) },
];

/** Beside them the range before, where there is one. */
function toolLines(tools: readonly ToolTotals[]): string[] {
  const hasPrevious = tools.some(({ previous }) => previous !== undefined);
  const columns = hasPrevious ? [...TOOL_COLUMNS, ...PREVIOUS_COLUMNS] : TOOL_COLUMNS;
  return table([
    ["TOOL", ...columns.map(({ name }) => name)],
    ...tools.map((tool) => [tool.name || "-", ...columns.map(({ of }) => of(tool))]),
  ]);
}

function table(rows: readonly (readonly string[])[]): string[] {
  return inColumns(
    rows.map((row) => row.map(visibleText)),
    (column) => column > 0,
  );
}

function rateText({ calls, failures }: Pick<ToolTotals, "calls" | "failures">): string {
  return calls === 0 ? "-" : `${((100 * failures) / calls).toFixed(1)}%`;
}

function lengthText(ms: number | undefined): string {
  if (ms === undefined) return "-";
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)}s` : `${(ms / 60_000).toFixed(1)}m`;
}

function causeLines(failures: readonly FailureGroup[], zone: string): string[] {
  if (failures.length === 0) return [];
  const rows = failures
    .slice(0, MOST_CAUSES)
    .map(({ count, sessions, firstAt, lastAt, tool, cause }) => [
      COUNT.format(count),
      COUNT.format(sessions),
      plausibleTime(firstAt) === undefined ? "-" : localMinute(firstAt, zone),
      plausibleTime(lastAt) === undefined ? "-" : localMinute(lastAt, zone),
      tool ?? "-",
      cause.length > CAUSE ? `${cause.slice(0, CAUSE - 1)}…` : cause,
    ]);
  const header = ["FAILED", "SESSIONS", "FIRST", "LAST", "TOOL", "CAUSE"];
  return ["", ...inColumns([header, ...rows.map((row) => row.map(visibleText))], (column) => column < 2)];
}

function paceLines(pace: Pace | undefined, zone: string): string[] {
  if (pace === undefined) return [];
  const { month, spentUsd, usd, since, usdPerDay } = pace;
  const name = new Date(`${month}-01T00:00:00Z`).toLocaleString("en", { month: "long", timeZone: "UTC" });
  const so = `$${spentUsd.toFixed(2)} so far, $${usdPerDay.toFixed(2)} a day since ${localMinute(since, zone).slice(0, 10)}`;
  return [`At this pace $${usd.toFixed(2)} in ${name} (${so}).`];
}

function concurrencyLines({ concurrency, range }: Overview): string[] {
  const { peakSessions, peakAgents, peakAt } = concurrency;
  if (peakSessions === 0 || peakAt === undefined) return [];
  const most = `${countText(peakSessions, "session")} and ${countText(peakAgents, "agent")}`;
  const when = plausibleTime(peakAt) === undefined ? "" : `, at ${localMinute(peakAt, range.zone)}`;
  return [`At most ${most} at a time${when}.`];
}

function rangeText({ from, to, zone }: OverviewRange): string {
  const until = `until ${localMinute(to, zone)} (${zone})`;
  return from === undefined ? until : `from ${localMinute(from, zone)} ${until}`;
}

/** In the zone by whose days the sums are cut. */
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
}: OverviewCoverage): string[] {
  const lines = [
    [unread, "not read to the end, and not in the sums"],
    [withoutFacts, "known by totals alone: what tools did, what failed and when is not in the sums"],
    [withoutCounts, "without token counts"],
    [partlyPriced, "partly priced"],
    [undecided, "left out: it is not known whether the filter means them"],
  ] as const;
  return lines.flatMap(([count, what]) => (count === 0 ? [] : [`${countText(count, "session")} ${what}.`]));
}
