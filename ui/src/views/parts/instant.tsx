import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { usePreferences } from "../../app/preferences.js";
import { formatAgo, formatInstant } from "../../model/formats.js";

interface InstantProps {
  readonly at: number;
  /** Relative, with the exact instant on hover; else exact. */
  readonly now?: number;
}

/** Nothing for an instant that is not plausible. */
export function Instant({ at, now }: InstantProps) {
  const { zone } = usePreferences();
  if (plausibleInstant(at) === undefined) return null;
  const exact = `${formatInstant(at, zone)}${zone === "utc" ? "Z" : ""}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={exact}>
      {now === undefined ? exact : formatAgo(at, now)}
    </time>
  );
}
