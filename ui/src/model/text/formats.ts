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
