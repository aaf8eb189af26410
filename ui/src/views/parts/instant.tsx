import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { usePreferences } from "../../app/preferences.js";
import { formatAgo, formatInstant } from "../../model/text/formats.js";

interface InstantProps {
  readonly at: number | string | undefined;
  /** Makes it relative, with the exact instant on hover. */
  readonly now?: number;
}

/** Empty for an implausible instant. */
export function Instant({ at, now }: InstantProps) {
  const { zone } = usePreferences();
  const instant = plausibleInstant(at);
  if (instant === undefined) return null;
  const exact = `${formatInstant(instant, zone)}${zone === "utc" ? "Z" : ""}`;
  return (
    <time dateTime={new Date(instant).toISOString()} title={exact}>
      {now === undefined ? exact : formatAgo(instant, now)}
    </time>
  );
}
