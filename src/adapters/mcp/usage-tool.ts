import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import { PARAMETERS } from "../../application/questions/parameters.js";
import type {
  Overview,
  OverviewRow,
  SessionTotals,
  ToolTotals,
  UsageTotals,
} from "../../domain/overview/overview.js";
import { type Cost, isLowerBound } from "../../domain/usage/money.js";
import { objectAnswer, type ToolAnswer, warningsOf } from "./answers.js";
import { FILTER, type Tool, tool } from "./tool.js";
import { optional, preset } from "./tool-input.js";

/** Sessions are read for about so long where not all of them are. */
const BUDGET_MS = 8_000;

/** How many rows an answer has at most: of times the newest ones, else the first ones. */
const MOST_ROWS = 50;
const MOST_SESSIONS = 10;

const TIMES: ReadonlySet<string> = new Set(["hour", "day", "week", "month"]);

export function usageTool({ getOverview }: InspectorUseCases): Tool {
  return tool({
    name: "usage",
    title: "Usage and cost of many sessions",
    description:
      "What many sessions did and cost together, in rows by day, project, model, tool and so on, with a total, the range before and the pace of the month. " +
      "usd is in US dollars; with isLeast a part has no price and is not in it. With unread above 0 ask again: not all is read. " +
      "A row's filter finds its sessions in list_sessions.",
    input: {
      by: preset(
        PARAMETERS.by,
        "day",
        "What rows are made by. tool: calls, failures, durations, tokens of results.",
      ),
      from: optional(PARAMETERS.from, "2026-11-01, 2026-11, 7d, yesterday. Default is all."),
      to: optional(PARAMETERS.to, "The first instant behind, written like from. Default is now."),
      filter: FILTER,
    },
    async execute(request, { signal }): Promise<ToolAnswer> {
      const deadline = performance.now() + BUDGET_MS;
      let overview: Overview;
      do overview = await getOverview.execute(request, { signal });
      while (overview.coverage.unread > 0 && performance.now() < deadline);
      return objectAnswer(shown(overview), "Ask for less: a shorter range, a filter, or another by.");
    },
  });
}

/** Figures and names alone: no title, no text of an error. */
function shown(overview: Overview): object {
  const { range, coverage, total, previous, pace, rows, tools, largestSessions, warnings = [] } = overview;
  const all =
    range.by === "tool" ? tools.map(shownTool) : rows.filter(({ sessions }) => sessions > 0).map(shownRow);
  const some = TIMES.has(range.by) ? all.slice(-MOST_ROWS) : all.slice(0, MOST_ROWS);
  const moreRows = all.length - some.length;
  return {
    range,
    coverage,
    total: totals(total),
    previous: previous && totals(previous),
    pace: pace && {
      ...pace,
      spentUsd: cents(pace.spentUsd),
      usd: cents(pace.usd),
      usdPerDay: cents(pace.usdPerDay),
    },
    rows: some,
    ...(moreRows > 0 && { moreRows }),
    largestSessions: largestSessions.slice(0, MOST_SESSIONS).map(shownSession),
    ...warningsOf(warnings),
  };
}

function shownRow({ name, filter, ...row }: OverviewRow): object {
  return { name, filter, ...totals(row) };
}

function shownTool(row: ToolTotals): object {
  const { p50Ms, p95Ms, previous, resultTokens, carriedTokens, carriedUsd, ...counts } = row;
  return {
    ...counts,
    p50Ms: rounded(p50Ms),
    p95Ms: rounded(p95Ms),
    resultTokens: rounded(resultTokens),
    carriedTokens: rounded(carriedTokens),
    carriedUsd: carriedUsd && cents(carriedUsd),
    previous: previous && { ...previous, p50Ms: rounded(previous.p50Ms), p95Ms: rounded(previous.p95Ms) },
  };
}

function shownSession({ tenantId, sessionId, lastActive, ...row }: SessionTotals): object {
  return { tenantId, sessionId, lastActive, ...money(row.cost), tokens: row.tokens };
}

function totals({
  sessions,
  cost,
  usage,
  modelCalls,
  failedModelCalls,
  toolCalls,
  failedToolCalls,
}: UsageTotals) {
  return { sessions, ...money(cost), ...usage, modelCalls, failedModelCalls, toolCalls, failedToolCalls };
}

function money(cost: Cost) {
  return { usd: cents(cost.usd), ...(isLowerBound(cost) && { isLeast: true }) };
}

function cents(usd: number): number {
  return Math.round(usd * 10_000) / 10_000;
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}
