import type { TokenRates } from "../usage/money.js";
import { type AgentContexts, type ContextOfCall, runningSizes } from "./agent-contexts.js";

/** What something cost because it was in the contexts of model calls. */
export interface Carried {
  /** How many calls read it. */
  readonly calls: number;
  /** What all of them read of it. */
  readonly tokens: number;
  /** Those of `tokens` that a cache served. */
  readonly cachedTokens: number;
  /** US dollars, at the price that each call paid for this part of its context. */
  readonly usd: number;
  /** Those of `tokens` whose price nobody knows. */
  readonly unpricedTokens: number;
}

export const NOTHING_CARRIED: Carried = { calls: 0, tokens: 0, cachedTokens: 0, usd: 0, unpricedTokens: 0 };

/** A sum of parts. */
export class CarriedSum implements Carried {
  calls = 0;
  tokens = 0;
  cachedTokens = 0;
  usd = 0;
  unpricedTokens = 0;

  /** Adds a part that the same calls read, or some of them. */
  add(part: Carried): void {
    const calls = Math.max(this.calls, part.calls);
    this.addApart(part);
    this.calls = calls;
  }

  /** Adds a part that other calls read. */
  addApart({ calls, tokens, cachedTokens, usd, unpricedTokens }: Carried): void {
    this.calls += calls;
    this.tokens += tokens;
    this.cachedTokens += cachedTokens;
    this.usd += usd;
    this.unpricedTokens += unpricedTokens;
  }

  result(): Carried {
    const { calls, tokens, cachedTokens, usd, unpricedTokens } = this;
    return { calls, tokens, cachedTokens, usd, unpricedTokens };
  }
}

export interface CarryingCost {
  /** One for each item, in their order. */
  readonly items: readonly Carried[];
  readonly system: Carried;
  readonly unaccounted: Carried;
}

/**
 * What each item of the contexts of an agent cost: in each call that still held it, its scaled tokens at the price of where it lay. A
 * context is paid for from its beginning on: what a cache served, then what was written to one, then the rest. The system prompt and
 * the tools come first, and what is not accounted for last. It takes as long as there are runs in the contexts, not items.
 *
 * @param ratesOf `undefined` for a call without a price, as every call is whose tokens nobody counted
 */
export function carryingCost(
  { items, contexts }: AgentContexts,
  ratesOf: (context: ContextOfCall) => TokenRates | undefined,
): CarryingCost {
  const sums = new ItemSums(runningSizes(items));
  let system = NOTHING_CARRIED;
  let unaccounted = NOTHING_CARRIED;
  for (const context of contexts) {
    const rates = context.call.usage && ratesOf(context);
    const pieces = piecesOf(context, rates);
    system = addPart(system, context.system, costBetween(pieces, 0, context.system, rates));
    let at = context.system;
    for (const [from, to] of context.runs) {
      const end = at + context.scale * sums.sizeOf(from, to);
      sums.addRun(from, to, at, context.scale, pieces, rates === undefined);
      at = end;
    }
    unaccounted = addPart(
      unaccounted,
      context.unaccounted,
      costBetween(pieces, at, at + context.unaccounted, rates),
    );
  }
  return { items: sums.result(), system, unaccounted };
}

/** A piece of what a call read, up to but without `to`: US dollars a token, and whether a cache served it. */
interface Piece {
  readonly to: number;
  readonly usd: number;
  readonly isCached: boolean;
}

function piecesOf({ call: { usage } }: ContextOfCall, rates: TokenRates | undefined): readonly Piece[] {
  // What nobody counted has no price.
  if (usage === undefined) return [{ to: Number.POSITIVE_INFINITY, usd: 0, isCached: false }];
  const oneHour = Math.min(usage.cacheWrite1hTokens ?? 0, usage.cacheWriteTokens);
  const read = usage.cacheReadTokens;
  const written = usage.cacheWriteTokens;
  const writeUsd =
    written === 0 || rates === undefined
      ? 0
      : ((written - oneHour) * rates.cacheWrite + oneHour * rates.cacheWrite1h) / written;
  return [
    { to: read, usd: rates?.cacheRead ?? 0, isCached: true },
    { to: read + written, usd: writeUsd, isCached: false },
    { to: Number.POSITIVE_INFINITY, usd: rates?.input ?? 0, isCached: false },
  ];
}

interface PartCost {
  readonly usd: number;
  readonly cachedTokens: number;
  readonly isUnpriced: boolean;
}

function costBetween(
  pieces: readonly Piece[],
  from: number,
  to: number,
  rates: TokenRates | undefined,
): PartCost {
  let usd = 0;
  let cachedTokens = 0;
  let begin = 0;
  for (const piece of pieces) {
    const tokens = Math.max(0, Math.min(to, piece.to) - Math.max(from, begin));
    usd += tokens * piece.usd;
    if (piece.isCached) cachedTokens += tokens;
    begin = piece.to;
  }
  return { usd, cachedTokens, isUnpriced: rates === undefined };
}

function addPart(sum: Carried, tokens: number, { usd, cachedTokens, isUnpriced }: PartCost): Carried {
  if (tokens === 0) return sum;
  return {
    calls: sum.calls + 1,
    tokens: sum.tokens + tokens,
    cachedTokens: sum.cachedTokens + cachedTokens,
    usd: sum.usd + usd,
    unpricedTokens: sum.unpricedTokens + (isUnpriced ? tokens : 0),
  };
}

/**
 * Sums over items, each of which is given for a run of them at once: what changes at the two ends of a run is noted, and added up in
 * the end. Sums are a unit of estimated size, but for the items that lie across two pieces.
 */
class ItemSums {
  readonly #sizes: Float64Array;
  readonly #calls: Float64Array;
  readonly #tokens: Float64Array;
  readonly #cached: Float64Array;
  readonly #usd: Float64Array;
  readonly #unpriced: Float64Array;
  /** Of single items, in tokens and dollars. */
  readonly #ownCached: Float64Array;
  readonly #ownUsd: Float64Array;

  constructor(sizes: Float64Array) {
    this.#sizes = sizes;
    const column = () => new Float64Array(sizes.length);
    this.#calls = column();
    this.#tokens = column();
    this.#cached = column();
    this.#usd = column();
    this.#unpriced = column();
    this.#ownCached = column();
    this.#ownUsd = column();
  }

  /** The estimated tokens of a run. */
  sizeOf(from: number, to: number): number {
    return this.#sizes[to]! - this.#sizes[from]!;
  }

  /** @param at where the run begins in the context, in tokens */
  addRun(
    from: number,
    to: number,
    at: number,
    scale: number,
    pieces: readonly Piece[],
    isUnpriced: boolean,
  ): void {
    addBetween(this.#calls, from, to, 1);
    addBetween(this.#tokens, from, to, scale);
    if (isUnpriced) addBetween(this.#unpriced, from, to, scale);
    let item = from;
    let begin = 0;
    for (const piece of pieces) {
      if (item === to) break;
      // The items that end within the piece, then the one that goes on behind it.
      const end = this.#firstBeyond(item, to, this.#sizes[from]! + (piece.to - at) / scale);
      addBetween(this.#usd, item, end, scale * piece.usd);
      if (piece.isCached) addBetween(this.#cached, item, end, scale);
      item = end;
      begin = piece.to;
      if (item < to && this.#startOf(item, from, at, scale) < begin) {
        this.#addAcross(item, this.#startOf(item, from, at, scale), scale, pieces);
        item++;
      }
    }
  }

  result(): readonly Carried[] {
    const carried: Carried[] = [];
    const sum = { calls: 0, tokens: 0, cached: 0, usd: 0, unpriced: 0 };
    for (let i = 0; i + 1 < this.#sizes.length; i++) {
      const size = this.sizeOf(i, i + 1);
      sum.calls += this.#calls[i]!;
      sum.tokens += this.#tokens[i]!;
      sum.cached += this.#cached[i]!;
      sum.usd += this.#usd[i]!;
      sum.unpriced += this.#unpriced[i]!;
      carried.push({
        calls: sum.calls,
        tokens: sum.tokens * size,
        cachedTokens: Math.max(0, sum.cached * size + this.#ownCached[i]!),
        usd: Math.max(0, sum.usd * size + this.#ownUsd[i]!),
        unpricedTokens: Math.max(0, sum.unpriced * size),
      });
    }
    return carried;
  }

  #startOf(item: number, from: number, at: number, scale: number): number {
    return at + scale * this.sizeOf(from, item);
  }

  /** An item that lies in more than one piece. */
  #addAcross(item: number, start: number, scale: number, pieces: readonly Piece[]): void {
    const end = start + scale * this.sizeOf(item, item + 1);
    let begin = 0;
    for (const piece of pieces) {
      const tokens = Math.max(0, Math.min(end, piece.to) - Math.max(start, begin));
      this.#ownUsd[item]! += tokens * piece.usd;
      if (piece.isCached) this.#ownCached[item]! += tokens;
      begin = piece.to;
    }
  }

  /** The first item from `from` on that ends behind `limit`, in estimated tokens from the beginning of all items; `to` where none does. */
  #firstBeyond(from: number, to: number, limit: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sizes[middle + 1]! <= limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function addBetween(changes: Float64Array, from: number, to: number, value: number): void {
  changes[from]! += value;
  changes[to]! -= value;
}
