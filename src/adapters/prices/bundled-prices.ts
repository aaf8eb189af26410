import type { ModelPrice, PriceCalculation, TieredPrices } from "@pydantic/genai-prices";
import { LRUCache } from "lru-cache";
import type { PriceTable } from "../../application/ports/price-table.js";
import type { PricedCall, RatesOf, TokenRates } from "../../domain/usage/money.js";
import { withTiers } from "../../domain/usage/service-tiers.js";

/** List prices of the vendors, by date, from the package: as old as its version. */
export const BUNDLED_PRICES: PriceTable = {
  source: "genai-prices 0.1.8 of 2026-09-23",
  load: () => {
    loaded ??= loadRates().then(withTiers);
    return loaded;
  },
};

let loaded: Promise<RatesOf> | undefined;

/** Names come from histories and may be any text; a longer one is not matched with patterns. */
const LONGEST_NAME = 256;
const MOST_PRICES = 2_048;
const DAY_MS = 86_400_000;

interface ListedPrices {
  readonly prices: ModelPrice | null;
  readonly contextWindow: number | undefined;
}

async function loadRates(): Promise<RatesOf> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const cache = new LRUCache<string, ListedPrices>({ max: MOST_PRICES });

  const pricesOf = ({ model, provider = "", at }: PricedCall): ListedPrices => {
    const key = `${Math.floor(at / DAY_MS)}\n${provider}\n${model}`;
    const before = cache.get(key);
    if (before !== undefined) return before;
    const priceOf = (listed: ListedModel) =>
      calcPrice({}, listed.model, { timestamp: new Date(at), providerId: listed.provider });
    const listed = listedModel(model, provider);
    const named = listed.provider === "" ? providerInName(listed.model) : undefined;
    const price = priceOf(listed) ?? (named === undefined ? null : priceOf(named));
    const listedPrices = { prices: price?.model_price ?? null, contextWindow: price?.model.context_window };
    if (price === null || !dependsOnHour(price)) cache.set(key, listedPrices);
    return listedPrices;
  };

  return (call) => {
    const { model, provider = "", at, contextTokens } = call;
    if (model.length > LONGEST_NAME || provider.length > LONGEST_NAME) return undefined;
    if (Number.isNaN(new Date(at).getTime())) return undefined;
    const { prices, contextWindow } = pricesOf(call);
    const rates = prices === null ? undefined : ratesIn(prices, contextTokens);
    return rates === undefined || contextWindow === undefined ? rates : { ...rates, contextWindow };
  };
}

function dependsOnHour({ model }: PriceCalculation): boolean {
  if (!Array.isArray(model.prices)) return false;
  return model.prices.some(({ constraint }) => constraint?.type === "time_of_date");
}

/** A token class without its own price costs as much as its general class: a cached token is an input token. */
function ratesIn(prices: ModelPrice, contextTokens: number): TokenRates | undefined {
  const rate = (name: string) => dollarsOf(prices[name], contextTokens);
  const [input, output = 0] = [rate("input_mtok"), rate("output_mtok")];
  if (input === undefined) return undefined;
  const cacheWrite = rate("cache_write_mtok") ?? input;
  return {
    input,
    output,
    cacheRead: rate("cache_read_mtok") ?? input,
    cacheWrite,
    cacheWrite1h: rate("cache_write_1h_mtok") ?? cacheWrite,
  };
}

/** The highest tier below the context applies to all tokens of the call. */
function dollarsOf(price: number | TieredPrices | undefined, contextTokens: number): number | undefined {
  if (price === undefined) return undefined;
  if (typeof price === "number") return price / 1e6;
  const above = price.tiers.filter(({ start }) => contextTokens > start);
  return above.reduce((a, b) => (b.start > a.start ? b : a), { start: -1, price: price.base }).price / 1e6;
}

interface ListedModel {
  readonly model: string;
  /** `""` if unstated: then the vendor of the name. */
  readonly provider: string;
}

const RESOURCE = /^(?:publishers\/[\w-]+\/)?models\//;

/** Claude Code's mark for a context of a million tokens, which it does not send to the vendor. */
const LONG_CONTEXT = /\[1m\]$/;

/** Amazon Bedrock: an ARN, or a vendor before a dot, perhaps after a region. */
const BEDROCK =
  /^(?:arn:aws[\w-]*:bedrock:|(?:[\w-]{1,8}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral)\.)/;

function listedModel(model: string, provider: string): ListedModel {
  const name = model.replace(RESOURCE, "").replace(LONG_CONTEXT, "");
  return { model: name, provider: provider === "" && BEDROCK.test(name) ? "aws" : provider };
}

/** `openai/gpt-4o`: some tools put the provider in front of the name. */
function providerInName(name: string): ListedModel | undefined {
  const slash = name.indexOf("/");
  return slash === -1 ? undefined : { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}
