import { PARAMETERS } from "../../../application/questions/parameters.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type {
  Grouping,
  Overview,
  OverviewRow,
  ToolTotals,
  UsageTotals,
} from "../../../domain/overview/overview.js";
import { GROUPINGS } from "../../../domain/overview/overview.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { type AnswerText, fields, type ToolAnswer, table, tableOf } from "../answer/answer.js";
import { cents, seconds, tokenFields, usd } from "../answer/figures.js";
import { type Cell, listed, name, own } from "../answer/own-words.js";
import type { NameKind } from "../answer/registered-names.js";
import type { Handles } from "./handles.js";
import { FILTER, type Tool, tool } from "./tool.js";
import { optional, preset } from "./tool-input.js";

const BUDGET_MS = 8_000;

const MOST_ROWS = 50;
const MOST_SESSIONS = 5;

const NAMES: { readonly [By in Grouping]?: NameKind } = {
  project: "project",
  tenant: "tenant",
  model: "model",
  user: "user",
  source: "source",
  tool: "tool",
};

export function usageTool({ getOverview }: InspectorUseCases): Tool {
  return tool({
    name: "usage",
    title: "Usage and cost of many sessions",
    description:
      "Activity and cost of many sessions, in rows, with a total, the previous range, the month's pace and the costliest sessions. If unread is above 0, repeat the call.",
    input: {
      by: preset(PARAMETERS.by, "day", ""),
      from: optional(PARAMETERS.from, "2026-11-01, 2026-11, 7d, yesterday"),
      to: optional(PARAMETERS.to, "exclusive"),
      filter: FILTER,
    },
    async execute(request, { handles, signal }): Promise<ToolAnswer> {
      const deadline = performance.now() + BUDGET_MS;
      let overview: Overview;
      do overview = await getOverview.execute(request, { signal });
      while (overview.coverage.unread > 0 && performance.now() < deadline);
      return { of: own`many sessions`, parts: partsOf(overview, handles) };
    },
  });
}

function partsOf(overview: Overview, handles: Handles): readonly AnswerText[] {
  const { range, coverage, total, previous, pace, largestSessions, warnings } = overview;
  return [
    fields(own`range`, { from: range.from, to: range.to, by: listed(GROUPINGS, range.by) }),
    fields(own`coverage`, {
      sessions: coverage.sessions,
      unread: coverage.unread,
      undecided: coverage.undecided || undefined,
      datedAfterNow: coverage.inFuture,
      partlyPriced: coverage.partlyPriced || undefined,
      withoutCounts: coverage.withoutCounts || undefined,
      warnings: warnings?.length,
    }),
    fields(own`total`, totals(total)),
    ...(previous === undefined ? [] : [fields(own`range before`, totals(previous))]),
    ...(pace === undefined
      ? []
      : [
          fields(own`this month`, {
            spentUsd: cents(pace.spentUsd),
            willBeUsd: cents(pace.usd),
            usdPerDay: cents(pace.usdPerDay),
          }),
        ]),
    ...rowParts(overview),
    tableOf(own`costliest sessions`, largestSessions.slice(0, MOST_SESSIONS), {
      session: (one) => handles.session(one),
      active: ({ lastActive }) => plausibleTime(lastActive),
      usd: ({ cost }) => usd(cost),
      tokens: ({ tokens }) => tokens,
      modelCalls: ({ modelCalls }) => modelCalls,
    }),
  ];
}

function rowParts({ range: { by }, rows, tools }: Overview): readonly AnswerText[] {
  const kind = NAMES[by];
  const all =
    by === "tool" ? tools.map(toolCells) : rows.filter(({ sessions }) => sessions > 0).map(rowCells);
  const some = kind === undefined ? all.slice(-MOST_ROWS) : all.slice(0, MOST_ROWS);
  const more = all.length - some.length;
  const named = some.map(({ named, cells }) => [kind === undefined ? named : name(kind, named), ...cells]);
  return [
    by === "tool" ? table(own`rows`, TOOL_COLUMNS, named) : table(own`rows`, ROW_COLUMNS, named),
    ...(more > 0 ? [fields(own`omitted rows`, { rows: more })] : []),
  ];
}

const ROW_COLUMNS = [
  "name",
  "sessions",
  "usd",
  "tokens",
  "modelCalls",
  "failed",
  "toolCalls",
  "failed",
] as const;
const TOOL_COLUMNS = [
  "name",
  "sessions",
  "calls",
  "failures",
  "refused",
  "p50s",
  "p95s",
  "resultTokens",
  "carriedTokens",
  "carriedUsd",
  "callsBefore",
  "failuresBefore",
] as const;

interface Row {
  readonly named: string;
  readonly cells: readonly Cell[];
}

function rowCells(row: OverviewRow): Row {
  const { sessions, cost, tokens, modelCalls, failedModelCalls, toolCalls, failedToolCalls } = row;
  const cells = [sessions, usd(cost), tokens, modelCalls, failedModelCalls, toolCalls, failedToolCalls];
  return { named: row.name, cells };
}

function toolCells(row: ToolTotals): Row {
  const { sessions, calls, failures, refused, p50Ms, p95Ms, resultTokens, carriedTokens, carriedUsd } = row;
  const carried = [Math.round(resultTokens), Math.round(carriedTokens), carriedUsd && cents(carriedUsd)];
  const before = [row.previous?.calls, row.previous?.failures];
  const cells = [sessions, calls, failures, refused, seconds(p50Ms), seconds(p95Ms), ...carried, ...before];
  return { named: row.name, cells };
}

function totals({ sessions, cost, usage, ...rest }: UsageTotals) {
  const { modelCalls, failedModelCalls, toolCalls, failedToolCalls } = rest;
  return {
    sessions,
    usd: usd(cost),
    ...tokenFields(usage),
    modelCalls,
    failedModelCalls,
    toolCalls,
    failedToolCalls,
  };
}
