import { formatCost, formatDuration } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { usePreferences } from "../../app/preferences.js";
import type { StepFacts } from "../../engine/messages/message-protocol.js";
import { formatClock, formatInstant } from "../../model/text/formats.js";
import { STRINGS } from "../../strings/strings.js";

const { messages: strings, trace } = STRINGS;

export function StepInstant({ step }: { readonly step: StepFacts | undefined }) {
  const { zone } = usePreferences();
  if (step === undefined || plausibleInstant(step.at) === undefined) return null;
  return (
    <time
      dateTime={new Date(step.at).toISOString()}
      data-tip={`${formatInstant(step.at, zone)}${zone === "utc" ? "Z" : ""}`}
    >
      {formatClock(step.at, zone)}
    </time>
  );
}

export function StepDuration({ step }: { readonly step: StepFacts | undefined }) {
  if (step === undefined || step.state === "point") return null;
  const { state, derived, durationMs } = step;
  const hint = state === "open" ? trace.open : state === "cut" ? trace.cut : undefined;
  return (
    <span data-tip={hint ?? (derived ? trace.derivedHint : strings.took(formatDuration(durationMs)))}>
      {derived && "~"}
      {formatDuration(durationMs)}
      {hint !== undefined && "…"}
    </span>
  );
}

/** Empty if unavailable. */
export function StepCost({ step }: { readonly step: StepFacts | undefined }) {
  const cost = step?.cost;
  if (cost === undefined || cost.usd === 0) return null;
  return <span>{formatCost(cost)}</span>;
}
