import { areUncounted } from "../../../../src/domain/cost/call-totals.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import {
  ABSENT,
  formatCost,
  formatCount,
  formatDollars,
  formatDuration,
  formatShare,
  formatTokens,
  undercounted,
  withoutPricing,
} from "../../../../src/domain/text/figures.js";
import { contextTokens } from "../../../../src/domain/usage/token-counts.js";
import type { SummaryFigures } from "../../model/summary/summary-figures.js";
import { DIAGNOSIS_STRINGS } from "../../strings/diagnosis-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import styles from "./summary.module.css";
import { costText } from "./summary-texts.js";

interface Figure {
  readonly name: string;
  readonly value: string | undefined;
  readonly notes?: readonly (string | undefined)[];
  readonly hint?: string;
}

interface FiguresProps {
  readonly figures: SummaryFigures;
  readonly summary: SessionSummary | undefined;
}

/** Each figure has its position before its value is available. */
export function Figures({ figures, summary }: FiguresProps) {
  return (
    <dl className={styles.figures}>
      {figuresOf(figures, summary).map(({ name, value, notes = [], hint }) => (
        <div key={name} title={hint}>
          <dt>{name}</dt>
          <dd>
            <b>{value ?? <span className={styles.unknown}>…</span>}</b>
            <small>{notes.filter(Boolean).join(", ")}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf(figures: SummaryFigures, summary: SessionSummary | undefined): readonly Figure[] {
  const { turns, modelCalls, toolCalls, totalMs, total, isSoFar } = figures;
  const counts = summary?.counts;
  const isUncounted = total !== undefined && areUncounted(total);
  const soFar = isSoFar ? DIAGNOSIS_STRINGS.soFar : undefined;
  const count = (value: number | undefined) => (value === undefined ? undefined : formatCount(value));
  const some = (n: number | undefined, text: (n: string) => string) =>
    n !== undefined && n > 0 ? text(formatCount(n)) : undefined;
  return [
    ...(isUncounted
      ? [{ name: strings.tokensAndCost, value: ABSENT, notes: [STRINGS.noTokenCounts] }]
      : tokenFigures(figures, soFar)),
    { name: DIAGNOSIS_STRINGS.turns, value: count(turns), notes: [soFar] },
    {
      name: strings.modelCalls,
      value: count(modelCalls),
      notes: [
        some(counts?.failedModelCalls, strings.failed),
        isUncounted ? undefined : some(total?.uncountedCalls, strings.uncounted),
      ],
    },
    {
      name: strings.toolCalls,
      value: count(toolCalls),
      notes: [some(counts?.failedToolCalls, strings.failed), some(counts?.refusedToolCalls, strings.refused)],
    },
    { name: strings.wall, value: totalMs === undefined ? undefined : formatDuration(totalMs) },
  ];
}

function tokenFigures(figures: SummaryFigures, soFar: string | undefined): readonly Figure[] {
  const { usage, total } = figures;
  const read = usage && contextTokens(usage);
  const share = usage && read ? formatShare(usage.cacheReadTokens / read) : undefined;
  const placeholders = total?.placeholderCalls ?? 0;
  return [
    costFigure(figures, soFar),
    {
      name: strings.read,
      value: read === undefined || (read === 0 && placeholders > 0) ? undefined : formatTokens(read),
      notes: [share && strings.cached(share), soFar],
    },
    {
      name: strings.written,
      value: usage && formatTokens(usage.outputTokens),
      notes: [placeholders > 0 ? undercounted(placeholders) : undefined, soFar],
    },
  ];
}

function costFigure({ cost, total }: SummaryFigures, soFar: string | undefined): Figure {
  const name = strings.cost;
  const hint = strings.costHint;
  if (cost === undefined) return { name, hint, value: undefined };
  const recorded = cost.recordedUsd > 0 ? strings.recorded(formatDollars(cost.recordedUsd)) : undefined;
  const unpriced = cost.unpricedCalls > 0 ? withoutPricing(cost.unpricedCalls) : undefined;
  const value = total === undefined ? formatCost(cost) : costText(total);
  return { name, hint, value, notes: [unpriced, recorded, soFar] };
}
