import type { Divergence, StepComparison, StepUse } from "../../../domain/compare/step-comparison.js";
import { formatCount, formatDuration, formatFineDollars, signed } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { inColumns } from "./table.js";

const MOST_DIVERGENCES = 12;
const MOST_TEXT = 60;

export function comparedSteps(steps: StepComparison, width: number | undefined): readonly string[] {
  const { same, changed, alone, isApproximate, divergences, divergenceCount } = steps;
  if (divergenceCount === 0) return [];
  const visible = divergences.toSorted(byDifference).slice(0, MOST_DIVERGENCES);
  const left = divergenceCount - visible.length;
  return [
    `Steps: ${formatCount(same)} equal, ${formatCount(changed)} changed, ` +
      `${formatCount(alone[0])} only in A, ${formatCount(alone[1])} only in B.` +
      (isApproximate ? " They differ too much to be lined up exactly." : ""),
    "",
    `${formatCount(divergenceCount, "divergence")}, the largest first, B against A:`,
    ...inColumns(
      [["  row", "cost", "time", "step"], ...visible.map(divergenceRow)],
      [{}, {}, {}, { least: 12 }],
      width,
    ),
    ...(left > 0 ? [`  and ${formatCount(left)} more`] : []),
  ];
}

function byDifference({ used: [a, b] }: Divergence, { used: [c, d] }: Divergence): number {
  return Math.abs(d.usd - c.usd) - Math.abs(b.usd - a.usd) || Math.abs(d.ms - c.ms) - Math.abs(b.ms - a.ms);
}

function divergenceRow({ row, sides: [a, b], used }: Divergence): string[] {
  const step = a ?? b;
  const text = step === null ? "" : `${step.toolName ?? step.kind} ${step.text}`;
  return [
    `  ${row + 1}`,
    more(used, ({ usd }) => usd, formatFineDollars),
    more(used, ({ ms }) => ms, formatDuration),
    textOf(text),
  ];
}

function more(
  [a, b]: readonly [StepUse, StepUse],
  of: (use: StepUse) => number,
  format: (value: number) => string,
) {
  const value = of(b) - of(a);
  return signed(value, value === 0, format);
}

function textOf(text: string): string {
  const visible = visibleText(text);
  return visible.length > MOST_TEXT ? `${visible.slice(0, MOST_TEXT)}…` : visible;
}
