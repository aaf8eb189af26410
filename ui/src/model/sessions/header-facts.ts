import { hasNoCounts, type InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { type TokenUsage, totalTokens } from "../../../../src/domain/usage/token-usage.js";
import { sessionDuration } from "./session-table.js";

export interface HeaderFigure<Value> {
  readonly value: Value;
  readonly isSoFar: boolean;
}

export interface HeaderFacts {
  readonly errors: HeaderFigure<number> | undefined;
  readonly cost: HeaderFigure<Cost> | undefined;
  /** `"uncounted"`: the records contain no token counts. */
  readonly tokens: HeaderFigure<number> | "uncounted" | undefined;
  readonly durationMs: HeaderFigure<number> | undefined;
  /** Without long pauses; `undefined` until final. */
  readonly activeMs: number | undefined;
  readonly models: readonly string[];
  /** `undefined` without counts. */
  readonly usage: TokenUsage | undefined;
}

interface SessionFacts {
  readonly item: InspectorSessionItem | undefined;
  readonly loading: boolean;
  readonly events: number;
  readonly totals: { readonly errors: number };
  readonly cost: Cost | undefined;
  readonly usage: TokenUsage;
  readonly from: number;
  readonly to: number;
  readonly activeMs: number;
  readonly models: readonly string[];
}

/**
 * Prefers the list, which covers the complete session. Other figures are marked while more is read, so that no figure looks final that
 * will change.
 */
export function headerFacts(session: SessionFacts): HeaderFacts {
  const { item, loading, events, totals, usage } = session;
  const read = <Value>(value: Value): HeaderFigure<Value> | undefined =>
    events === 0 ? undefined : { value, isSoFar: loading };
  const listed = <Value>(value: Value | undefined): HeaderFigure<Value> | undefined =>
    value === undefined ? undefined : { value, isSoFar: false };
  const isCounted = item !== undefined && !hasNoCounts(item);
  const counted = totalTokens(usage);
  // An implausible start with a real end makes a duration of decades. A clock that starts at 0 does not.
  const isMixed = plausibleInstant(session.from) === undefined && plausibleInstant(session.to) !== undefined;
  const hasDuration = session.to >= session.from && !isMixed;
  return {
    errors: listed(item?.errors) ?? read(totals.errors),
    cost:
      listed(item?.cost) ??
      (session.cost !== undefined && isPaid(session.cost) ? read(session.cost) : undefined),
    tokens:
      (isCounted ? listed(item.tokens) : undefined) ??
      (counted > 0 ? read(counted) : loading || events === 0 ? undefined : "uncounted"),
    durationMs:
      listed(item && sessionDuration(item)) ?? (hasDuration ? read(session.to - session.from) : undefined),
    activeMs: loading || events === 0 || !hasDuration ? undefined : session.activeMs,
    models: modelsOf(item?.model, item?.models ?? session.models),
    usage: counted > 0 ? usage : undefined,
  };
}

/** 0 is no cost: perhaps no tokens were counted. */
function isPaid({ usd, unpricedCalls }: Cost): boolean {
  return usd > 0 || unpricedCalls > 0;
}

function modelsOf(newest: string | undefined, all: readonly string[]): readonly string[] {
  return newest === undefined ? all : [newest, ...all.filter((model) => model !== newest)];
}
