import { contextTokens } from "./conversation/token-counts.js";
import { instantOf } from "./instant.js";
import { countOf, isJsonObject, type JsonObject, objectField, textField } from "./json.js";
import { addCost, type Cost, costOfUsage, NO_COST, type RatesOf } from "./money.js";
import {
  addUsage,
  type InspectorSessionItem,
  NO_USAGE,
  type TokenUsage,
  totalTokens,
  usageOf,
} from "./session.js";

/** What calls used that cost alike: calls of one model by one provider, on one day, with contexts of about one length. */
export interface ModelUsage {
  /** Absent where calls name none, and where there are too many models to tell them apart. */
  readonly model?: string;
  readonly provider?: string;
  /** Of the newest call, in milliseconds since the epoch. */
  readonly at: number;
  /** The longest context. No price changes between the shortest one and it. */
  readonly contextTokens: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  /** What they cost as recorded, in US dollars. Absent where a price list has to say it. */
  readonly recordedUsd?: number;
}

/** A session as a source lists it. */
export interface ListedSession extends InspectorSessionItem {
  /**
   * What its model calls used, all agents' together, by what their price depends on: `cost` is made of it, and it is not shown. Absent
   * where it is not known.
   */
  readonly usageByModel?: readonly ModelUsage[];
}

export interface UsedCall {
  readonly model: string | undefined;
  readonly provider?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly usage: TokenUsage;
  readonly recordedUsd?: number | undefined;
}

type AddedCalls = Omit<ModelUsage, "recordedUsd"> & Pick<UsedCall, "recordedUsd">;

/** The lengths of a context above which some vendor charges more. */
export const CONTEXT_TIERS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000] as const;

/** How many groups there are at most: then days are told apart no longer, and models that are new no longer named. */
const MOST_GROUPS = 32;
const LONGEST_NAME = 256;
const DAY_MS = 86_400_000;

/** Sums up calls by what their price depends on. */
export class UsageByModel {
  readonly #groups = new Map<string, ModelUsage>();
  /** The newest group of a model, whatever its day. */
  readonly #latest = new Map<string, string>();

  /** @param known calls that were summed up before. Default is none */
  constructor(known: readonly ModelUsage[] = []) {
    for (const calls of known) this.addCalls(calls);
  }

  /** A call that used nothing, as one that failed, costs nothing and is left out. */
  add({ model = "", provider = "", ...call }: UsedCall): void {
    if (totalTokens(call.usage) === 0 && call.recordedUsd === undefined) return;
    this.addCalls({ ...call, model, provider, contextTokens: contextTokens(call.usage), calls: 1 });
  }

  /** Calls that were summed up before. */
  addCalls({ model = "", provider = "", at, usage, recordedUsd, ...added }: AddedCalls): void {
    const context = added.contextTokens;
    const tier = CONTEXT_TIERS.filter((start) => context > start).length;
    const isNamed = model !== "" && model.length <= LONGEST_NAME && provider.length <= LONGEST_NAME;
    const names = isNamed ? { model, ...(provider === "" ? {} : { provider }) } : {};
    const key = this.#keyOf(
      JSON.stringify([names, tier]),
      Math.floor(at / DAY_MS),
      recordedUsd === undefined,
    );
    const known = this.#groups.get(key);
    this.#groups.set(key, {
      ...(known === undefined && this.#groups.size < MOST_GROUPS ? names : namesOf(known)),
      at: Math.max(known?.at ?? at, at),
      contextTokens: Math.max(known?.contextTokens ?? 0, context),
      calls: countOf((known?.calls ?? 0) + added.calls),
      usage: addUsage(known?.usage ?? NO_USAGE, usage),
      ...(recordedUsd === undefined ? {} : { recordedUsd: (known?.recordedUsd ?? 0) + recordedUsd }),
    });
  }

  get groups(): ModelUsage[] {
    return [...this.#groups.values()];
  }

  #keyOf(names: string, day: number, isPriced: boolean): string {
    const ofModel = `${isPriced} ${names}`;
    const key = `${ofModel} ${day}`;
    if (this.#groups.has(key)) return key;
    if (this.#groups.size >= MOST_GROUPS) return this.#latest.get(ofModel) ?? `${isPriced}`;
    this.#latest.set(ofModel, key);
    return key;
  }
}

function namesOf({ model, provider }: Partial<ModelUsage> = {}): Pick<ModelUsage, "model" | "provider"> {
  return { ...(model === undefined ? {} : { model }), ...(provider === undefined ? {} : { provider }) };
}

/** Calls of both, summed up. */
export function addUsageByModel(a: readonly ModelUsage[], b: readonly ModelUsage[]): readonly ModelUsage[] {
  return b.length === 0 ? a : new UsageByModel([...a, ...b]).groups;
}

/** The tokens of all of them. */
export function usageOfModels(groups: readonly ModelUsage[]): TokenUsage {
  return groups.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
}

/** The member `usageByModel` of a record, as far as it is one: nobody has checked it. */
export function usageByModelIn({ usageByModel }: JsonObject): readonly ModelUsage[] {
  if (!Array.isArray(usageByModel)) return [];
  return usageByModel.slice(0, MOST_GROUPS).filter(isJsonObject).flatMap(modelUsageIn);
}

function modelUsageIn(stored: JsonObject): readonly ModelUsage[] {
  const at = instantOf(stored.at);
  const usage = usageOf(objectField(stored, "usage"));
  const usd = stored.recordedUsd;
  const isRecorded = typeof usd === "number" && Number.isFinite(usd) && usd >= 0;
  if (at === undefined || (totalTokens(usage) === 0 && !isRecorded)) return [];
  const calls = Math.max(1, countOf(stored.calls));
  const names = { model: textField(stored, "model") ?? "", provider: textField(stored, "provider") ?? "" };
  const contextTokens = countOf(stored.contextTokens);
  return new UsageByModel([
    { ...names, at, usage, calls, contextTokens, ...(isRecorded ? { recordedUsd: usd } : {}) },
  ]).groups;
}

/**
 * What calls used, with what is known of it by other counts alone as calls of no model.
 *
 * @param usage all that was used
 */
export function withUnknownCalls(
  groups: readonly ModelUsage[],
  usage: TokenUsage,
  at: number,
): readonly ModelUsage[] {
  if (groups.length === 0) return groups;
  const known = usageOfModels(groups);
  const rest = usageOf({
    inputTokens: usage.inputTokens - known.inputTokens,
    outputTokens: usage.outputTokens - known.outputTokens,
    cacheReadTokens: usage.cacheReadTokens - known.cacheReadTokens,
    cacheWriteTokens: usage.cacheWriteTokens - known.cacheWriteTokens,
  });
  if (totalTokens(rest) === 0) return groups;
  return [...groups, { at, contextTokens: 0, calls: 1, usage: rest }];
}

/** What all of it cost: as recorded, else by a price list. */
export function costOfModels(groups: readonly ModelUsage[], ratesOf: RatesOf): Cost {
  return groups.reduce((sum, group) => addCost(sum, costOfGroup(group, ratesOf)), NO_COST);
}

function costOfGroup({ model, usage, recordedUsd, calls, ...call }: ModelUsage, ratesOf: RatesOf): Cost {
  if (recordedUsd !== undefined) return { ...NO_COST, usd: recordedUsd, recordedUsd };
  const rates = model === undefined ? undefined : ratesOf({ ...call, model });
  if (rates === undefined) return { ...NO_COST, unpricedCalls: calls, unpricedTokens: totalTokens(usage) };
  return { ...NO_COST, usd: costOfUsage(usage, rates) };
}
