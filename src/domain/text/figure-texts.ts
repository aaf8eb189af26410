/** Figures for plain text: a terminal, an export. */

export const COUNT = new Intl.NumberFormat("en");

/** @example countText(1_500, "span") // "1,500 spans" */
export function countText(count: number, what: string): string {
  return `${COUNT.format(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** @example durationText(83_000) // "1m 23s" */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
}
