import type { InspectorSessionItem } from "../../domain/session/session.js";
import { type Cost, isLowerBound } from "../../domain/usage/money.js";

export const COUNT = new Intl.NumberFormat("en");

/** What is said in the place of a 0 that nobody counted. */
export const NO_COUNTS = "no token counts in these spans";

/** @example countText(1_500, "span") // "1,500 spans" */
export function countText(count: number, what: string): string {
  return `${COUNT.format(count)} ${what}${count === 1 ? "" : "s"}`;
}

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

/** @example durationText(83_000) // "1m 23s" */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
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
