import type { SessionFacts } from "../facts/session-facts.js";
import { countOf, isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { instantOf } from "../trace/instant.js";
import { tierOf } from "../usage/context-tiers.js";
import { type Cost, costOfUsage, NO_COST, type PricedCall, type TokenRates } from "../usage/money.js";
import { contextTokens } from "../usage/token-counts.js";
import {
  addUsage,
  NO_USAGE,
  subtractUsage,
  type TokenUsage,
  totalTokens,
  usageOf,
} from "../usage/token-usage.js";
import { UsageTally } from "../usage/usage-tally.js";
import type { InspectorSessionItem } from "./session.js";

/** Use of calls with the same price: one model, provider, day, and class of context length. */
export interface ModelUsage {
  /** Absent if calls name none, or if there are too many models. */
  readonly model?: string;
  readonly provider?: string;
  /** Newest call, in milliseconds since the epoch. */
  readonly at: number;
  /** Longest context: all contexts of the group have the same price. */
  readonly contextTokens: number;
  readonly calls: number;
  /** Calls whose counts are too small: no input, or a placeholder from the start of a stream as output. */
  readonly placeholderCalls?: number;
  readonly usage: TokenUsage;
  /** Recorded cost in US dollars. Absent if a price list is needed. */
  readonly recordedUsd?: number;
}

export interface ListedSession extends InspectorSessionItem {
  /** All agents' model calls, grouped by the inputs of their price. Only for the computation of `cost`. */
  readonly usageByModel?: readonly ModelUsage[];
  /** Only on request, if the source can provide it. */
  readonly facts?: SessionFacts;
}

export interface UsedCall {
  readonly model: string | undefined;
  readonly provider?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly usage: TokenUsage;
  /** True if its counts are too small. */
  readonly isPlaceholder?: boolean | undefined;
  readonly recordedUsd?: number | undefined;
}

type AddedCalls = Omit<Partial<UsedCall>, "isPlaceholder"> &
  Pick<ModelUsage, "at" | "contextTokens" | "calls" | "placeholderCalls" | "usage">;

type Group = { -readonly [Name in keyof ModelUsage]: ModelUsage[Name] };

/** Above it, days are no longer separate, and further models share one nameless group. */
const MOST_GROUPS = 32;
const LONGEST_NAME = 256;
const DAY_MS = 86_400_000;

export class UsageByModel {
  readonly #groups = new Map<string, Group>();
  /** Newest group of a model, of any day. */
  readonly #latest = new Map<string, string>();
  /** Cache: most calls belong to the group of the previous one. */
  #last: { readonly added: AddedCalls; readonly group: Group } | undefined;

  constructor(existing: readonly ModelUsage[] = []) {
    for (const calls of existing) this.addCalls(calls);
  }

  /** Skips calls without use, such as failed ones. */
  add({ model, provider, at, usage, isPlaceholder, recordedUsd }: UsedCall): void {
    if (totalTokens(usage) === 0 && recordedUsd === undefined) return;
    const placeholderCalls = isPlaceholder === true ? 1 : 0;
    this.addCalls({
      model,
      provider,
      at,
      usage,
      recordedUsd,
      contextTokens: contextTokens(usage),
      calls: 1,
      placeholderCalls,
    });
  }

  addCalls(added: AddedCalls): void {
    const existing = this.#last;
    const group = existing && isAlike(existing.added, added) ? existing.group : this.#groupOf(added);
    this.#last = { added, group };
    addTo(group, added);
  }

  get groups(): ModelUsage[] {
    return Array.from(this.#groups.values(), (group) => ({ ...group }));
  }

  #groupOf({ model = "", provider = "", at, contextTokens: context, recordedUsd }: AddedCalls): Group {
    const isRecorded = recordedUsd !== undefined;
    const names = namesOf(model, provider);
    const ofModel = `${isRecorded} ${tierOf(context)} ${names.model?.length} ${names.model} ${names.provider}`;
    const isFull = this.#groups.size >= MOST_GROUPS;
    const own = `${ofModel} ${dayOf({ at })}`;
    const key = !isFull || this.#groups.has(own) ? own : (this.#latest.get(ofModel) ?? `${isRecorded}`);
    const existing = this.#groups.get(key);
    if (existing !== undefined) return existing;
    const group: Group = {
      ...(isFull ? {} : names),
      ...{ at: Number.NEGATIVE_INFINITY, contextTokens: 0, calls: 0, usage: NO_USAGE },
    };
    this.#groups.set(key, group);
    if (!isFull) this.#latest.set(ofModel, key);
    return group;
  }
}

/** Omits names that are too long. */
function namesOf(model: string, provider: string): Pick<ModelUsage, "model" | "provider"> {
  if (model === "" || model.length > LONGEST_NAME || provider.length > LONGEST_NAME) return {};
  return { model, ...(provider === "" ? {} : { provider }) };
}

export function addUsageByModel(a: readonly ModelUsage[], b: readonly ModelUsage[]): readonly ModelUsage[] {
  const [added] = b;
  if (added === undefined) return a;
  const at = b.length > 1 ? -1 : placeOf(added, a);
  return at === -1 ? new UsageByModel([...a, ...b]).groups : a.with(at, withCalls(a[at]!, added));
}

/** A log is read call by call, so most calls need no new sum. */
function placeOf(added: ModelUsage, groups: readonly ModelUsage[]): number {
  const isAlike = (group: ModelUsage) =>
    group.model === added.model &&
    group.provider === added.provider &&
    tierOf(group.contextTokens) === tierOf(added.contextTokens) &&
    isRecorded(group) === isRecorded(added);
  const at = groups.findIndex((group) => dayOf(group) === dayOf(added) && isAlike(group));
  return at === -1 && groups.length >= MOST_GROUPS ? groups.findLastIndex(isAlike) : at;
}

function withCalls(group: ModelUsage, added: AddedCalls): ModelUsage {
  const sum = { ...group };
  addTo(sum, added);
  return sum;
}

function addTo(group: Group, added: AddedCalls): void {
  const { recordedUsd } = added;
  const placeholderCalls = countOf((group.placeholderCalls ?? 0) + (added.placeholderCalls ?? 0));
  group.at = Math.max(group.at, added.at);
  group.contextTokens = Math.max(group.contextTokens, added.contextTokens);
  group.calls = countOf(group.calls + added.calls);
  if (placeholderCalls > 0) group.placeholderCalls = placeholderCalls;
  group.usage = addUsage(group.usage, added.usage);
  if (recordedUsd !== undefined) group.recordedUsd = (group.recordedUsd ?? 0) + recordedUsd;
}

function isAlike(a: AddedCalls, b: AddedCalls): boolean {
  return (
    a.model === b.model &&
    a.provider === b.provider &&
    (a.recordedUsd === undefined) === (b.recordedUsd === undefined) &&
    tierOf(a.contextTokens) === tierOf(b.contextTokens) &&
    dayOf(a) === dayOf(b)
  );
}

function dayOf({ at }: Pick<ModelUsage, "at">): number {
  return Math.floor(at / DAY_MS);
}

export function usageOfModels(groups: readonly ModelUsage[]): TokenUsage {
  const tally = new UsageTally();
  for (const { usage } of groups) tally.addUsage(usage);
  return tally.usage;
}

/**
 * Skips invalid elements.
 * @param recordedAt instant of calls without one. Default is 0
 */
export function usageByModelIn({ usageByModel }: JsonObject, recordedAt = 0): readonly ModelUsage[] {
  if (!Array.isArray(usageByModel)) return [];
  const groups = usageByModel.slice(0, MOST_GROUPS).filter(isJsonObject);
  return groups.flatMap((stored) => modelUsageIn(stored, recordedAt));
}

function modelUsageIn(stored: JsonObject, recordedAt: number): readonly ModelUsage[] {
  const at = instantOf(stored.at) ?? recordedAt;
  const usage = usageOf(objectField(stored, "usage"));
  const usd = stored.recordedUsd;
  const isRecorded = typeof usd === "number" && Number.isFinite(usd) && usd >= 0;
  if (totalTokens(usage) === 0 && !isRecorded) return [];
  const { model, provider } = namesOf(textField(stored, "model") ?? "", textField(stored, "provider") ?? "");
  const calls = Math.max(1, countOf(stored.calls));
  const placeholders = Math.min(countOf(stored.placeholderCalls), calls);
  // Member by member: a list reads many of them, and spreads are slow.
  const used = {} as Group;
  if (model !== undefined) used.model = model;
  if (provider !== undefined) used.provider = provider;
  used.at = at;
  used.contextTokens = countOf(stored.contextTokens);
  used.calls = calls;
  if (placeholders !== 0) used.placeholderCalls = placeholders;
  used.usage = usage;
  if (isRecorded) used.recordedUsd = usd;
  return [used];
}

/**
 * Adds tokens that no group counts as calls without a model.
 * @param usage total use
 */
export function withUnknownCalls(
  groups: readonly ModelUsage[],
  usage: TokenUsage,
  at: number,
): readonly ModelUsage[] {
  if (groups.length === 0) return groups;
  const rest = subtractUsage(usage, usageOfModels(groups));
  if (totalTokens(rest) === 0) return groups;
  return [...groups, { at, contextTokens: 0, calls: 1, usage: rest }];
}

export type PricedUsage = ModelUsage & PricedCall;

export function isPriced(used: ModelUsage): used is PricedUsage {
  return used.recordedUsd === undefined && used.model !== undefined;
}

export function isRecorded({ recordedUsd }: ModelUsage): boolean {
  return recordedUsd !== undefined;
}

/** Recorded cost has priority over the price list. */
export function costOfModels(
  groups: readonly ModelUsage[],
  ratesOf: (used: PricedUsage) => TokenRates | undefined,
): Cost {
  const tally = new UsageTally();
  for (const group of groups) tally.addCost(costOfGroup(group, ratesOf));
  return tally.cost;
}

function costOfGroup(used: ModelUsage, ratesOf: (used: PricedUsage) => TokenRates | undefined): Cost {
  const { usage, recordedUsd, calls, placeholderCalls = 0 } = used;
  if (recordedUsd !== undefined) return { ...NO_COST, usd: recordedUsd, recordedUsd };
  const rates = isPriced(used) ? ratesOf(used) : undefined;
  if (rates === undefined) return { ...NO_COST, unpricedCalls: calls, unpricedTokens: totalTokens(usage) };
  const usd = costOfUsage(usage, rates);
  return { ...NO_COST, usd, ...(placeholderCalls === 0 ? {} : { placeholderCalls }) };
}
