import {
  formatCost,
  formatDuration,
  formatEstimate,
  formatShare,
  formatSignedTokens,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { engine } from "../../app/engine.js";
import { usePreferences } from "../../app/preferences.js";
import { useAnswer } from "../../app/use-answer.js";
import type { CallReadout, ReadoutCause } from "../../engine/trace/call-readouts.js";
import { validWindow } from "../../model/charts/chart-scale.js";
import { type ClockZone, formatClock } from "../../model/text/formats.js";
import { CHART_STRINGS as strings } from "../../strings/chart-strings.js";
import styles from "./chart-hover.module.css";

export interface ReadCall {
  readonly name: string | undefined;
  readonly spanId: string | undefined;
  readonly at: number | undefined;
  readonly tokens: number;
  readonly isEstimated: boolean;
  /** `undefined` without a previous call. */
  readonly change: number | undefined;
}

export interface ReadoutLine {
  readonly name: "call" | "tokens" | "cause";
  readonly text: string;
}

/**
 * Facts of the chart at once, those of the trace later.
 * @param call `undefined` without a current call
 * @param version changes if the trace may have changed
 */
export function useCallReadout(call: ReadCall | undefined, version: unknown): readonly ReadoutLine[] {
  const { zone } = usePreferences();
  const spanId = call?.spanId;
  const readout = useAnswer(
    () => (spanId === undefined ? undefined : engine.call("callReadout", spanId)),
    [spanId, version],
  );
  if (call === undefined) return [];
  // The answer may belong to the previous call.
  return readoutLines(call, readout?.id === spanId ? readout : undefined, zone);
}

function readoutLines(
  call: ReadCall,
  readout: CallReadout | undefined,
  zone: ClockZone,
): readonly ReadoutLine[] {
  const { name, isEstimated } = call;
  const tokens = readout?.tokens ?? call.tokens;
  const change = readout === undefined ? call.change : (readout.change ?? call.change);
  const at = plausibleInstant(readout?.at ?? call.at);
  const validWindowTokens = validWindow(readout?.window, tokens);
  const head = [name, at === undefined ? undefined : formatClock(at, zone)];
  const size = [
    strings.tokens(formatEstimate(tokens, isEstimated)),
    change === undefined ? undefined : formatSignedTokens(change),
  ];
  const share =
    validWindowTokens === undefined
      ? undefined
      : strings.ofWindow(formatShare(tokens / validWindowTokens), formatTokens(validWindowTokens));
  const lines: ReadoutLine[] = [
    { name: "call", text: joined(head) },
    { name: "tokens", text: joined(size) },
    { name: "call", text: joined([share, costText(readout?.cost)]) },
    ...(readout?.causes ?? []).map((cause) => ({ name: "cause" as const, text: causeText(cause) })),
  ];
  return lines.filter(({ text }) => text !== "");
}

/** Empty without a price: the sums report that. */
function costText(cost: Cost | undefined): string | undefined {
  if (cost === undefined || cost.unpricedCalls > 0) return undefined;
  return formatCost(cost);
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}

function causeText(cause: ReadoutCause): string {
  switch (cause.by) {
    case "compaction":
    case "turn":
      return strings.causes[cause.by];
    case "result":
      return strings.result(cause.tool, cause.subject, formatSignedTokens(cause.tokens, true));
    case "others":
      return strings.others(cause.results, formatSignedTokens(cause.tokens, true));
    case "miss": {
      const { tokens, idleMs, lifetimeMs } = cause;
      const why =
        cause.cause === "idle"
          ? strings.idle(formatDuration(idleMs), formatDuration(lifetimeMs))
          : strings.misses[cause.cause];
      return strings.miss(why, formatTokens(tokens));
    }
    default:
      cause satisfies never;
      return "";
  }
}

export function readoutText(lines: readonly ReadoutLine[]): string | undefined {
  return lines.length === 0 ? undefined : lines.map(({ text }) => text).join(". ");
}

export function ReadoutLines({ lines }: { readonly lines: readonly ReadoutLine[] }) {
  return (
    <>
      {lines.map(({ name, text }) => (
        <p key={`${name} ${text}`} className={styles.line} data-line={name}>
          {text}
        </p>
      ))}
    </>
  );
}
