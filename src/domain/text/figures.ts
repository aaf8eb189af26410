import { type Cost, type IncompleteSum, isLowerBound, isUnpriced } from "../usage/money.js";

/**
 * Figures as text, equal in the page, the command line and exports. Avoids `Intl`: a formatter takes a large part of the page's first
 * render.
 */

/** Marks a minimum. */
export const AT_LEAST = "≥";
/** Marks an estimate. */
export const ABOUT = "≈";
export const NO_PRICING = "no pricing";
export const NOT_RECORDED = "not recorded";
/** In a table or a label. */
export const ABSENT = "-";

/**
 * @param noun in the singular, with a plural in "s"
 * @example formatCount(1_500, "span") // "1,500 spans"
 */
export function formatCount(count: number, noun?: string): string {
  const digits = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? "" : "s"}`;
}

/** Short, for tables and labels. Sentences have the exact count. */
export function formatTokens(tokens: number): string {
  const size = Math.abs(tokens);
  if (size < 1000) return String(Math.round(tokens));
  if (size < 99_950) return `${trimZero((tokens / 1000).toFixed(1))}k`;
  if (size < 999_500) return `${Math.round(tokens / 1000)}k`;
  if (size < 99_950_000) return `${trimZero((tokens / 1e6).toFixed(1))}M`;
  return `${formatCount(Math.round(tokens / 1e6))}M`;
}

/** @example formatEstimate(1234) // "≈1.2k" */
export function formatEstimate(tokens: number, isEstimate = true): string {
  return `${isEstimate ? ABOUT : ""}${formatTokens(tokens)}`;
}

export function formatSignedTokens(tokens: number, isEstimate = false): string {
  return `${isEstimate ? ABOUT : ""}${signed(tokens, tokens === 0, formatTokens)}`;
}

/** @example signed(-0.5, false, formatDollars) // "−$0.50" */
export function signed(value: number, isNone: boolean, format: (size: number) => string): string {
  return isNone ? "0" : `${value > 0 ? "+" : "−"}${format(Math.abs(value))}`;
}

/** @example formatDollars(1234.5) // "$1,234.50" */
export function formatDollars(usd: number): string {
  if (usd > 0 && usd < 0.005) return "<$0.01";
  const [dollars, cents] = usd.toFixed(2).split(".");
  return `$${formatCount(Number(dollars))}.${cents}`;
}

/** Distinguishes amounts below a cent. */
export function formatFineDollars(usd: number): string {
  if (usd === 0 || usd >= 0.0995) return formatDollars(usd);
  return usd < 0.0005 ? "<$0.001" : `$${usd.toFixed(3)}`;
}

export function hasNoPrice({ usd, ...missing }: IncompleteSum): boolean {
  return usd === 0 && isUnpriced(missing);
}

/** Short, for tables and labels. */
export function formatCost(cost: IncompleteSum, format = formatDollars): string {
  if (hasNoPrice(cost)) return NO_PRICING;
  return `${isLowerBound(cost) ? AT_LEAST : ""}${format(cost.usd)}`;
}

/** With the reasons of its mark: "≥$1.20 (3 calls without pricing)". */
export function formatLongCost(cost: Cost): string {
  const { unpricedCalls, placeholderCalls = 0 } = cost;
  const reasons = [
    ...(unpricedCalls === 0 ? [] : [withoutPricing(unpricedCalls)]),
    ...(placeholderCalls === 0 ? [] : [undercounted(placeholderCalls)]),
  ];
  const text = formatCost(cost, formatFineDollars);
  return reasons.length === 0 ? text : `${text} (${reasons.join("; ")})`;
}

export function withoutPricing(calls: number): string {
  return `${formatCount(calls, "call")} without pricing`;
}

export function undercounted(calls: number): string {
  return `undercounted: ${formatCount(calls, "call")} logged no complete usage`;
}

/** @example formatDuration(83_000) // "1m 23s" */
export function formatDuration(durationMs: number | undefined): string {
  if (durationMs === undefined) return ABSENT;
  if (durationMs < 0) return "0ms";
  if (durationMs < 1000) return `${Math.round(durationMs)}ms`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(durationMs < 9950 ? 2 : 1)}s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${trimZero((bytes / 1000).toFixed(1))} kB`;
  if (bytes < 1e9) return `${trimZero((bytes / 1e6).toFixed(1))} MB`;
  return `${trimZero((bytes / 1e9).toFixed(1))} GB`;
}

/** @example formatShare(0.0321) // "3.2%" */
export function formatShare(share: number | undefined): string {
  if (share === undefined) return ABSENT;
  const percent = share * 100;
  // Never rounds a part to 100% or 0%.
  if (percent > 99 && percent < 100) return `${Math.floor(percent * 10) / 10}%`;
  if (percent > 0 && percent < 0.1) return "<0.1%";
  return `${trimZero(percent.toFixed(percent < 10 ? 1 : 0))}%`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

function trimZero(text: string): string {
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}
