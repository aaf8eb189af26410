import { changed } from "../../../application/questions/json-list.js";
import { onceMore } from "../../../application/records/retry-once.js";
import type { CacheMissCause } from "../../../domain/cost/cache-misses.js";
import { areUncounted } from "../../../domain/cost/call-totals.js";
import type { Carried } from "../../../domain/cost/carrying-cost.js";
import { OUTCOME_WORDS } from "../../../domain/diagnosis/outcome-words.js";
import { repeatedRows } from "../../../domain/diagnosis/repeated-rows.js";
import type { ErrorGroup, ErrorOutcomes } from "../../../domain/diagnosis/session-diagnosis.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import type { SessionSummary } from "../../../domain/summary/session-summary.js";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatEstimate,
  formatLongCost,
  NOT_RECORDED,
  undercounted,
} from "../../../domain/text/figures.js";
import { visibleJson, visibleText } from "../../../domain/text/visible-text.js";
import type { TimeByClass } from "../../../domain/time/time-by-class.js";
import { contextTokens } from "../../../domain/usage/token-counts.js";
import { findSession } from "../opening/find-session.js";
import { type HistoriesOptions, withHistories } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { headingOf } from "../text/session-names.js";
import { print, printText } from "../text/terminal.js";
import { NO_COUNTS } from "../text/text.js";

/**
 * @param name as {@link findSession} takes it
 * @throws CommandLineError for a name without a session, or with several
 */
export async function summarizeHistory(
  context: CommandContext,
  name: string,
  paths: readonly string[],
  options: HistoriesOptions,
): Promise<void> {
  await withHistories(context, paths, options, async (useCases, signal) => {
    const item = await findSession(useCases, name, signal);
    const answer = await onceMore(() => useCases.summarizeSession.execute(item, { signal }));
    const { value: summary } = changed(answer);
    const { terminal } = context;
    if (options.json) await print(terminal, `${visibleJson(JSON.stringify(summary))}\n`, signal);
    else await printText(terminal, summaryText(summary, item), signal);
  });
}

const MOST_ROWS = 8;
const LABEL = 72;

const CAUSES: { readonly [cause in CacheMissCause]: string } = {
  compacted: "the context was compacted",
  model: "the model changed",
  tools: "the system prompt or the tools changed",
  rewritten: "the history was rewritten",
  idle: "cache expired",
  unknown: "unknown: no record states the reason",
};

const CLASSES: { readonly [name in keyof TimeByClass]: string } = {
  model: "models",
  tools: "tools",
  subAgents: "sub-agents",
  person: "waiting for user",
  retrying: "retrying",
  unknown: "unknown",
};

function summaryText(summary: SessionSummary, item: InspectorSessionItem): string {
  const sections = [
    figureLines(summary),
    section("What went wrong", errorLines(summary)),
    section(
      "Context usage (total input tokens of all calls, estimated by length and scaled to what was reported)",
      itemLines(summary),
    ),
    section("Cache misses", missLines(summary)),
    section("Time breakdown", timeLines(summary)),
    section("Repeated and failed calls", wasteLines(summary)),
  ].filter((lines) => lines.length > 0);
  const lines = [headingOf(item, LABEL), ...sections.flatMap((part) => ["", ...part])];
  return lines.map((line) => `${visibleText(line).trimEnd()}\n`).join("");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function figureLines({ total, counts, time, models }: SessionSummary): readonly string[] {
  const { usage, placeholderCalls } = total;
  const context = contextTokens(usage);
  const placeholders = placeholderCalls === 0 ? "" : ` (${undercounted(placeholderCalls)})`;
  const used = [
    `Cost           ${formatLongCost(total.cost)}`,
    `Input tokens   ${context === 0 && placeholderCalls > 0 ? NOT_RECORDED : `${formatCount(context)}, ${formatCount(usage.cacheReadTokens)} cache hits`}`,
    `Output tokens  ${formatCount(usage.outputTokens)}${placeholders}`,
  ];
  return [
    ...(areUncounted(total) ? [`Tokens         ${NO_COUNTS}`] : used),
    `Model calls    ${formatCount(counts.modelCalls)}, ${formatCount(counts.failedModelCalls)} failed: ${models.map(({ model }) => model || "?").join(", ")}`,
    `Tool calls     ${formatCount(counts.toolCalls)}, ${formatCount(counts.failedToolCalls)} failed, ${formatCount(counts.refusedToolCalls)} refused`,
    `Duration       ${formatDuration(time.wholeMs)}`,
  ];
}

function errorLines({ diagnosis }: SessionSummary): readonly string[] {
  const { errors, causeCount, causes, loops } = diagnosis;
  const line = ({ cause, kind, name, count }: ErrorGroup) =>
    `${formatCount(count)} × ${name || kind}: ${cause.slice(0, LABEL)}`;
  const lines = causes.slice(0, MOST_ROWS).flatMap((group) => {
    const outcomes = Object.entries(group.outcomes).filter(([, n]) => n > 0);
    const how = outcomes.map(
      ([name, n]) => `${formatCount(n)} ${OUTCOME_WORDS[name as keyof ErrorOutcomes]}`,
    );
    return [
      `${line(group)} (${how.join(", ")})`,
      ...group.consequences.map((one) => `  because of this ${line(one)}`),
    ];
  });
  return [
    ...(errors === 0
      ? []
      : [`${formatCount(errors, "error")}, ${formatCount(causeCount, "cause")}`, ...lines]),
    ...loops
      .slice(0, MOST_ROWS)
      .map(
        ({ name, subject, times }) =>
          `the same call ${formatCount(times)} times in a row: ${name} ${subject.slice(0, LABEL)}`,
      ),
  ];
}

function itemLines({ context }: SessionSummary): readonly string[] {
  return context.items.slice(0, MOST_ROWS).map((item) => {
    const label = `${item.toolName ?? item.origin} ${item.text}`.slice(0, LABEL);
    const part = item.toolName === undefined ? "" : `, ${item.part}`;
    return `${amount(item)}  ${label}${part} (${formatEstimate(item.size)} tokens, ${formatCount(item.calls, "call")})`;
  });
}

function missLines({ cacheMisses }: SessionSummary): readonly string[] {
  return cacheMisses.byCause.map(
    (miss) => `${amount(miss)}  ${formatCount(miss.count)} × ${CAUSES[miss.cause]}`,
  );
}

function amount({ tokens, usd, unpricedTokens }: Pick<Carried, "tokens" | "usd" | "unpricedTokens">): string {
  return `${formatEstimate(tokens).padStart(12)}  ${formatCost({ usd, unpricedTokens }).padStart(10)}`;
}

function timeLines({ time }: SessionSummary): readonly string[] {
  const names = Object.keys(CLASSES) as (keyof TimeByClass)[];
  const classes = names.filter((name) => time.classes[name] > 0);
  return [
    ...classes.map((name) => `${formatDuration(time.classes[name]).padStart(12)}  ${CLASSES[name]}`),
    ...time.slowestTools
      .slice(0, 3)
      .map(
        ({ name, subject, ms }) =>
          `${formatDuration(ms).padStart(12)}  slowest: ${name} ${subject.slice(0, LABEL)}`,
      ),
  ];
}

function wasteLines({ waste }: SessionSummary): readonly string[] {
  const { failedTools, refusedTools } = waste;
  const times = (count: number) => formatCount(count);
  const repeated = repeatedRows(waste);
  const calls = repeated.filter(({ kind }) => kind === "call").slice(0, MOST_ROWS);
  const files = repeated.filter(({ kind }) => kind === "file").slice(0, MOST_ROWS);
  return [
    ...calls.map(
      ({ label, times: made, unchanged }) =>
        `${times(made)} ×, ${times(unchanged)} with the same result: ${label.slice(0, LABEL)}`,
    ),
    ...files.map(
      ({ label, times: reads, unchanged }) =>
        `read ${times(reads)} ×, ${times(unchanged)} unchanged: ${label}`,
    ),
    ...failedTools.tools.slice(0, MOST_ROWS).map(({ name, calls }) => `${times(calls)} failed: ${name}`),
    ...refusedTools.tools.slice(0, MOST_ROWS).map(({ name, calls }) => `${times(calls)} refused: ${name}`),
  ];
}
