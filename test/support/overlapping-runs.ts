import fc from "fast-check";
import { expect } from "vitest";
import { BUNDLED_PRICES } from "../../src/adapters/prices/bundled-prices.js";
import { CallPricing, InProcessPool } from "../../src/advanced.js";
import { AnalysisReader } from "../../src/application/analysis/analysis-reader.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import { costOfCall } from "../../src/domain/cost/call-totals.js";
import { costOfModels, type ListedSession } from "../../src/domain/session/model-usage.js";
import { addCost, type Cost, NO_COST } from "../../src/domain/usage/money.js";
import { contextTokens } from "../../src/domain/usage/token-counts.js";
import { addUsage, NO_USAGE, type TokenUsage, totalTokens } from "../../src/domain/usage/token-usage.js";
import type { InspectorDataSource, SessionKey } from "../../src/index.js";
import type { RunRecorder } from "../../src/recording.js";
import { modelCall } from "./random-steps.js";

export const BEGIN = Date.UTC(2026, 0, 15, 12);

/** One of a session's agents, or a step in one. */
export interface RunningSpan {
  readonly id: number;
  readonly parent: RunningSpan | undefined;
  readonly kind: "agent" | "model" | "tool";
  readonly from: number;
  readonly to: number;
  readonly model: string;
  /** Some frameworks repeat the usage of an agent or a call. */
  readonly usage: TokenUsage | undefined;
}

/** Position in the outer span: fractions of its time, or milliseconds after its end. */
interface Shape {
  readonly kind: RunningSpan["kind"];
  readonly model: string;
  readonly usage: TokenUsage;
  readonly isTelling: boolean;
  readonly begins: number;
  readonly ends: { readonly within: number } | { readonly behind: number };
  readonly children: readonly Shape[];
}

const tokens = fc.nat(5_000);
const described = {
  begins: fc.double({ min: 0, max: 1, noNaN: true }),
  ends: fc.oneof(
    fc.record({ within: fc.double({ min: 0, max: 1, noNaN: true }) }),
    // OpenTelemetry's clock sometimes differs by a millisecond; an unread stream may take minutes.
    fc.record({ behind: fc.constantFrom(1, 1, 2, 40, 400_000) }),
  ),
  isTelling: fc.boolean(),
  model: fc.constantFrom("claude-sonnet-4-5-20250929", "gpt-4o", "own-model"),
  usage: fc.record({
    inputTokens: tokens.map((count) => count + 1),
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
  }),
};
/** The HTTP client's span of a model call. */
const client = fc.record({ ...described, kind: fc.constant("model" as const), children: fc.constant([]) });
const { call, span } = fc.letrec<{ call: Shape; span: Shape }>((tie) => ({
  call: fc.record({
    ...described,
    kind: fc.constant("model" as const),
    children: fc.array(client, { maxLength: 1 }),
  }),
  span: fc.oneof(
    { maxDepth: 2 },
    tie("call"),
    fc.record({
      ...described,
      kind: fc.constantFrom("agent" as const, "tool" as const),
      children: fc.array(tie("span"), { maxLength: 2 }),
    }),
  ),
}));
const turn = fc.record({
  isTelling: fc.boolean(),
  /** After the beginning of the previous turn. */
  after: fc.constantFrom(0, 30, 60, 61, 90),
  children: fc.tuple(call, span, span).map(([first, ...others]) => [first, ...others]),
  /** One of two processes. */
  recorder: fc.constantFrom(0, 0, 1),
  /** No more events after this time: the process is killed. */
  isHeardFor: fc.constantFrom(...Array<number>(4).fill(Number.POSITIVE_INFINITY), 30),
});

export interface OverlappingTurn {
  readonly recorder: number;
  /** The process is killed then: later events are lost. */
  readonly until: number;
  readonly spans: readonly RunningSpan[];
}

/** A few turns, in which many spans end later than their outer span. */
export const overlappingTurns: fc.Arbitrary<readonly OverlappingTurn[]> = fc
  .array(turn, { minLength: 1, maxLength: 3 })
  .map((turns) => {
    let from = BEGIN;
    let id = 1;
    return turns.map(({ after, recorder, isHeardFor, ...agent }) => {
      from += after;
      const spans: RunningSpan[] = [];
      const add = (
        shape: Omit<Shape, "begins" | "ends">,
        begin: number,
        to: number,
        parent?: RunningSpan,
      ) => {
        const { kind, model } = shape;
        const usage = parent?.kind === "model" ? parent.usage : toldBy(shape);
        const own: RunningSpan = { id: id++, parent, kind, from: begin, to, model, usage };
        spans.push(own);
        for (const child of shape.children) {
          const at = begin + Math.round(child.begins * (to - begin));
          const { ends } = child;
          add(child, at, "behind" in ends ? to + ends.behind : at + Math.round(ends.within * (to - at)), own);
        }
      };
      add({ kind: "agent", model: "", usage: NO_USAGE, ...agent }, from, from + 60);
      return { recorder, until: from + isHeardFor, spans };
    });
  });

function toldBy({
  kind,
  usage,
  isTelling,
  children,
}: Omit<Shape, "begins" | "ends">): TokenUsage | undefined {
  if (kind === "model") return usage;
  return kind === "agent" && isTelling ? children.map(usedIn).reduce(addUsage, NO_USAGE) : undefined;
}

function usedIn({ kind, usage, children }: Shape): TokenUsage {
  return kind === "model" ? usage : children.map(usedIn).reduce(addUsage, NO_USAGE);
}

export interface Told {
  readonly recorder: number;
  readonly span: RunningSpan;
  readonly isEnd: boolean;
  readonly at: number;
}

/** In the order of time. */
export function toldOf(turns: readonly OverlappingTurn[]): readonly Told[] {
  const told = turns.flatMap(({ recorder, until, spans }) =>
    [
      ...spans.map((span) => ({ recorder, span, isEnd: false, at: span.from })),
      // At the same time, the innermost ends first.
      ...spans.toReversed().map((span) => ({ recorder, span, isEnd: true, at: span.to })),
    ].filter(({ at }) => at <= until),
  );
  return told.sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd));
}

export function tell(recorder: RunRecorder, key: SessionKey, { span, isEnd, at }: Told): void {
  const { kind, model, usage, parent } = span;
  const id = String(span.id);
  if (isEnd) recorder.end(id, { at, usage });
  else recorder.start({ ...key, id, parentId: parent && String(parent.id), kind, name: kind, model, at });
}

export interface Used {
  readonly tokens: number;
  readonly cost: Cost;
}

export async function usedBy(spans: readonly RunningSpan[]): Promise<Used> {
  const ratesOf = await BUNDLED_PRICES.load();
  let [usage, cost] = [NO_USAGE, NO_COST];
  for (const { kind, parent, model, usage: own, from: at, to } of spans) {
    if (kind !== "model" || parent?.kind === "model" || own === undefined) continue;
    const rates = ratesOf({ model, at, contextTokens: contextTokens(own) });
    usage = addUsage(usage, own);
    cost = addCost(cost, costOfCall(modelCall(at, to, { model, usage: own }), rates));
  }
  return { tokens: totalTokens(usage), cost };
}

export async function listedUse({ tokens, usageByModel = [] }: ListedSession): Promise<Used> {
  return { tokens, cost: costOfModels(usageByModel, await BUNDLED_PRICES.load()) };
}

export async function summedUse(source: InspectorDataSource, key: SessionKey): Promise<Used> {
  const pool = new InProcessPool();
  const reader = new AnalysisReader(pool, { pricing: new CallPricing(BUNDLED_PRICES, pool) });
  const answer = await new SummarizeSession(source, reader).execute(key);
  if (answer.isUnchanged) throw new Error("no revision was given");
  const { usage, cost } = answer.value.total;
  return { tokens: totalTokens(usage), cost };
}

/** The order of the sum changes the last digits of prices. */
export function expectSameUse(actual: Used, { tokens, cost }: Used): void {
  expect(actual).toEqual({ tokens, cost: { ...cost, usd: expect.closeTo(cost.usd, 9) } });
}
