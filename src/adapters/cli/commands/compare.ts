import { diffLines } from "diff";
import { onceMore } from "../../../application/records/retry-once.js";
import type {
  ComparedSession,
  DifferenceSide,
  SessionComparison,
  SessionDifference,
} from "../../../domain/compare/session-comparison.js";
import { areUncounted, type CallTotals } from "../../../domain/cost/call-totals.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import {
  ABSENT,
  formatCost,
  formatCount,
  formatDuration,
  formatTokens,
} from "../../../domain/text/figures.js";
import { visibleJson, visibleLines, visibleText } from "../../../domain/text/visible-text.js";
import { totalTokens } from "../../../domain/usage/token-usage.js";
import { findSession } from "../opening/find-session.js";
import { type HistoriesOptions, withHistories } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { headingOf } from "../text/session-names.js";
import { comparedSteps } from "../text/step-comparison-text.js";
import { inColumns } from "../text/table.js";
import { print, printText } from "../text/terminal.js";
import { NO_COUNTS } from "../text/text.js";
import { cutMiddle } from "../text/text-width.js";

/**
 * @param names as {@link findSession} takes them
 * @throws CommandLineError for a name without a session, or with several
 */
export async function compareHistories(
  context: CommandContext,
  names: Two<string>,
  paths: readonly string[],
  options: HistoriesOptions,
): Promise<void> {
  await withHistories(context, paths, options, async (useCases, signal) => {
    const items = [
      await findSession(useCases, names[0], signal),
      await findSession(useCases, names[1], signal),
    ] as const;
    const comparison = await onceMore(() =>
      useCases.compareSessions.execute({ sessions: items }, { signal }),
    );
    const { terminal } = context;
    if (options.json) await print(terminal, `${visibleJson(JSON.stringify(comparison))}\n`, signal);
    else await printText(terminal, comparisonText(comparison, items, terminal.stdout.columns), signal);
  });
}

type Two<T> = readonly [T, T];
type Row = readonly [name: string, a: string, b: string];

const MOST_ROWS = 12;
const MOST_TITLE = 100;
const TIMEOUT_MS = 100;

function comparisonText(
  comparison: SessionComparison,
  items: Two<InspectorSessionItem>,
  width: number | undefined,
): string {
  const { tools, files, difference } = comparison;
  const [a, b] = comparison.sessions;
  const called = (calls: number, failed: number) =>
    failed === 0 ? formatCount(calls) : `${formatCount(calls)} (${formatCount(failed)} failed)`;
  const tables = [
    factRows(a, b),
    section(
      "Tools",
      tools.map(({ name, calls, failed }) => [
        name,
        called(calls[0], failed[0]),
        called(calls[1], failed[1]),
      ]),
    ),
    section(
      "Files",
      files.map(({ path, calls }) => [path, called(calls[0], 0), called(calls[1], 0)]),
    ),
  ].filter((rows) => rows.length > 0);
  return [
    ...items.map((item, i) => `${"AB"[i]}  ${visibleText(headingOf(item, MOST_TITLE))}`),
    "",
    ...sideBySide(tables, width),
    "",
    ...(difference === null
      ? ["Both conversations are equal."]
      : [...differenceLines(difference), "", ...afterLines(comparison.sessions)]),
    ...comparedSteps(comparison.steps, width),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function factRows(a: ComparedSession, b: ComparedSession): Row[] {
  const row = (name: string, text: (session: ComparedSession) => string): Row => [name, text(a), text(b)];
  const count = (name: string, of: (session: ComparedSession) => number) =>
    row(name, (session) => formatCount(of(session)));
  const used = (name: string, of: (total: CallTotals) => string) =>
    row(name, ({ total }) => (areUncounted(total) ? ABSENT : of(total)));
  return [
    ["", "A", "B"],
    row("Duration", ({ ms }) => formatDuration(ms)),
    count("Turns", ({ counts }) => counts.turns),
    count("Model calls", ({ counts }) => counts.modelCalls),
    count("  failed", ({ counts }) => counts.failedModelCalls),
    count("Tool calls", ({ counts }) => counts.toolCalls),
    count("  failed", ({ counts }) => counts.failedToolCalls),
    count("Sub-agents", ({ counts }) => counts.agents),
    count("Compactions", ({ counts }) => counts.compactions),
    used("Tokens", ({ usage }) => formatTokens(totalTokens(usage))),
    used("  output", ({ usage }) => formatTokens(usage.outputTokens)),
    used("Cost", ({ cost }) => formatCost(cost)),
    row("Models", ({ models }) => models.map(({ model }) => model || "?").join(", ") || ABSENT),
  ];
}

function section(title: string, rows: readonly Row[]): Row[] {
  if (rows.length === 0) return [];
  const left = rows.length - MOST_ROWS;
  return [
    [title, "", ""],
    ...rows.slice(0, MOST_ROWS).map(([name, a, b]): Row => [`  ${name}`, a, b]),
    ...(left > 0 ? ([[`  and ${left} more`, "", ""]] as const) : []),
  ];
}

function sideBySide(tables: readonly (readonly Row[])[], width: number | undefined): string[] {
  const rows = tables.flatMap((table, i): readonly Row[] => (i === 0 ? table : [["", "", ""], ...table]));
  const columns = [{ least: 12, cut: cutMiddle }, { least: 8 }, { least: 8 }];
  return inColumns(
    rows.map((row) => row.map(visibleText)),
    columns,
    width,
  );
}

const KINDS: { readonly [kind in SessionDifference["kind"]]: string } = {
  argument: "different tool input",
  result: "different tool result",
  message: "different message",
  order: "same content in another order",
  end: "one session ends, the other continues",
};

function differenceLines({ kind, at, sides }: SessionDifference): string[] {
  return [
    `First divergence, after ${formatCount(at, "equal step")}: ${KINDS[kind]}`,
    `--- A ${positionOf(sides[0])}`,
    `+++ B ${positionOf(sides[1])}`,
    ...textLines(sides),
  ];
}

function positionOf(side: DifferenceSide | null): string {
  if (side === null) return "has ended";
  const { messageIndex, origin, part, toolName, cutBefore, cutBehind } = side;
  const cut = [
    cutBefore > 0 ? `${formatCount(cutBefore)} characters before` : "",
    cutBehind > 0 ? `${formatCount(cutBehind)} after` : "",
  ].filter(Boolean);
  const what = part === "call" ? `call of ${toolName ?? "a tool"}` : `${part} of ${origin}`;
  const left = cut.length === 0 ? "" : `, without ${cut.join(" and ")}`;
  return visibleText(`message ${messageIndex}, ${what}${left}`);
}

function textLines([a, b]: SessionDifference["sides"]): string[] {
  const [before, after] = [a?.text ?? "", b?.text ?? ""];
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) => {
    const sign = added ? "+" : removed ? "-" : " ";
    return value === ""
      ? []
      : value
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => `${sign} ${visibleLines(line)}`);
  });
}

function afterLines(sessions: Two<ComparedSession>): string[] {
  const statements = sessions.flatMap(({ fromDifference }, i) =>
    fromDifference === undefined ? [] : [`  ${"AB"[i]}  ${afterText(fromDifference)}`],
  );
  return statements.length === 0 ? [] : ["From there on:", ...statements, ""];
}

function afterText({ ms, total }: { readonly ms: number; readonly total: CallTotals }): string {
  return [
    formatDuration(ms),
    formatCount(total.calls, "model call"),
    ...(areUncounted(total)
      ? [NO_COUNTS]
      : [`${formatCount(totalTokens(total.usage))} tokens`, formatCost(total.cost)]),
  ].join(", ");
}
