/** Short, with one width per column. Avoids `Intl`: a formatter takes a large part of the first render. */

/** @example formatCount(12345) // "12,345" */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @example formatTokens(1234) // "1.2k" */
export function formatTokens(tokens: number): string {
  const size = Math.abs(tokens);
  if (size < 1000) return String(Math.round(tokens));
  if (size < 99_950) return `${trimZero((tokens / 1000).toFixed(1))}k`;
  if (size < 999_500) return `${Math.round(tokens / 1000)}k`;
  if (size < 99_950_000) return `${trimZero((tokens / 1e6).toFixed(1))}M`;
  return `${formatCount(Math.round(tokens / 1e6))}M`;
}

export function formatSignedTokens(tokens: number): string {
  return tokens > 0 ? `+${formatTokens(tokens)}` : tokens < 0 ? `−${formatTokens(-tokens)}` : "0";
}

/** @example formatDollars(1234.5) // "$1,234.50" */
export function formatDollars(usd: number): string {
  if (usd > 0 && usd < 0.005) return "<$0.01";
  const [dollars, cents] = usd.toFixed(2).split(".");
  return `$${formatCount(Number(dollars))}.${cents}`;
}

/** @example formatDuration(83_000) // "1m 23s" */
export function formatDuration(durationMs: number): string {
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

export type ClockZone = "local" | "utc";

/** @example formatInstant(0, "utc") // "1970-01-01 00:00:00.000" */
export function formatInstant(instant: number, zone: ClockZone): string {
  const { year, month, day, time } = partsOf(instant, zone);
  return `${year}-${month}-${day} ${time}.${pad(instant - Math.floor(instant / 1000) * 1000, 3)}`;
}

export function formatClock(instant: number, zone: ClockZone): string {
  return partsOf(instant, zone).time;
}

/** @example formatAgo(now - 65_000, now) // "1m ago" */
export function formatAgo(instant: number, now: number): string {
  const seconds = Math.round((now - instant) / 1000);
  if (seconds < 0) return seconds > -60 ? "just now" : `in ${roughly(-seconds)}`;
  if (seconds < 5) return "just now";
  return `${roughly(seconds)} ago`;
}

function roughly(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  const days = Math.floor(seconds / 86_400);
  if (days < 60) return `${days}d`;
  return days < 730 ? `${Math.floor(days / 30)}mo` : `${Math.floor(days / 365)}y`;
}

function partsOf(instant: number, zone: ClockZone) {
  const date = new Date(instant);
  const [year, month, day, ...clock] =
    zone === "utc"
      ? [
          date.getUTCFullYear(),
          date.getUTCMonth(),
          date.getUTCDate(),
          date.getUTCHours(),
          date.getUTCMinutes(),
          date.getUTCSeconds(),
        ]
      : [
          date.getFullYear(),
          date.getMonth(),
          date.getDate(),
          date.getHours(),
          date.getMinutes(),
          date.getSeconds(),
        ];
  const time = clock.map((part) => pad(part)).join(":");
  return { year: pad(year, 4), month: pad(month + 1), day: pad(day), time };
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}

function trimZero(text: string): string {
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}
