import type { InspectorSessionItem } from "../../domain/session/session.js";
import { countText } from "../../domain/text/figure-texts.js";
import { type Cost, isLowerBound } from "../../domain/usage/money.js";

/** What is said in the place of a 0 that nobody counted. */
export const NO_COUNTS = "no token counts in these spans";

/** What is known of a cost, with `≥` where that is not all; what has no price is said beside it. */
export function costText(cost: Cost): string {
  const { usd, unpricedCalls } = cost;
  const dollars = usd > 0 && usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
  const money = isLowerBound(cost) ? `≥${dollars}` : dollars;
  if (unpricedCalls === 0) return money;
  const unpriced = `${countText(unpricedCalls, "call")} without pricing`;
  return usd === 0 ? unpriced : `${money} and ${unpriced}`;
}

const DOLLARS = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The same in a cell of a table: `-` where nothing of it is known. */
export function dollarsText(cost: Cost | undefined): string {
  if (cost === undefined || (cost.usd === 0 && cost.unpricedCalls > 0)) return "-";
  return isLowerBound(cost) ? `≥${moneyText(cost.usd)}` : moneyText(cost.usd);
}

export function moneyText(usd: number): string {
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${DOLLARS.format(usd)}`;
}

/** A session's name, and as much of its title. */
export function headingOf(
  { tenantId, sessionId, title, prompt }: InspectorSessionItem,
  width: number,
): string {
  return `${tenantId}/${sessionId}  ${(title ?? prompt ?? "").replace(/\s+/g, " ").slice(0, width)}`;
}

/**
 * Rows of texts as lines in columns, with two spaces between.
 *
 * @param isNumber whether a column stands at its right edge
 */
export function inColumns(
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean = () => false,
): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  const cell = (text: string, column: number) =>
    isNumber(column) ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return rows.map((row) => row.map(cell).join("  "));
}

/** A line of a terminal that is written over itself. */
export function redrawn(text: string): string {
  return `\r${text}\u001b[K`;
}
