import { type AgentContexts, type ContextOfCall, runningSizes } from "../context/agent-contexts.js";
import { firstWhere } from "../lists/lists.js";
import type { TokenRates } from "../usage/money.js";

/** Cost of a part of contexts, over all model calls. */
export interface Carried {
  readonly calls: number;
  readonly tokens: number;
  readonly cachedTokens: number;
  /** US dollars, at each call's price for this part of its context. */
  readonly usd: number;
  readonly unpricedTokens: number;
}

export class CarriedSum implements Carried {
  calls = 0;
  tokens = 0;
  cachedTokens = 0;
  usd = 0;
  unpricedTokens = 0;

  add(part: Carried): void {
    const calls = Math.max(this.calls, part.calls);
    this.addApart(part);
    this.calls = calls;
  }

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
  readonly items: readonly Carried[];
  readonly system: Carried;
  readonly unaccounted: Carried;
}

/**
 * Cost of each item in an agent's contexts: in each call with the item, its scaled tokens at the price of their position. A context is
 * priced from its start: tokens from a cache, then tokens written to a cache, then the rest; system prompt and tools come first,
 * unaccounted tokens last. The run time depends on the number of runs, not of items.
 * @param ratesOf `undefined` for a call without a price, such as every call without counted tokens
 */
export function carryingCost(
  { items, contexts }: AgentContexts,
  ratesOf: (context: ContextOfCall) => TokenRates | undefined,
): CarryingCost {
  const sums = new ItemSums(runningSizes(items));
  const system = new CarriedSum();
  const unaccounted = new CarriedSum();
  for (const context of contexts) {
    const rates = context.call.usage && ratesOf(context);
    const pieces = piecesOf(context, rates);
    if (context.system !== 0) system.addApart(carriedFrom(0, context.system, pieces, rates));
    let at = context.system;
    for (const [from, to] of context.runs) {
      const end = at + context.scale * sums.sizeOf(from, to);
      sums.addRun(from, to, at, context.scale, pieces, rates === undefined);
      at = end;
    }
    if (context.unaccounted !== 0) unaccounted.addApart(carriedFrom(at, context.unaccounted, pieces, rates));
  }
  return { items: sums.result(), system: system.result(), unaccounted: unaccounted.result() };
}

interface Piece {
  readonly to: number;
  readonly usd: number;
  readonly isCached: boolean;
}

function piecesOf({ call: { usage } }: ContextOfCall, rates: TokenRates | undefined): readonly Piece[] {
  // A call without counted tokens has no price.
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

function carriedFrom(
  from: number,
  tokens: number,
  pieces: readonly Piece[],
  rates: TokenRates | undefined,
): Carried {
  let usd = 0;
  let cachedTokens = 0;
  let begin = 0;
  for (const piece of pieces) {
    const inPiece = Math.max(0, Math.min(from + tokens, piece.to) - Math.max(from, begin));
    usd += inPiece * piece.usd;
    if (piece.isCached) cachedTokens += inPiece;
    begin = piece.to;
  }
  return { calls: 1, tokens, cachedTokens, usd, unpricedTokens: rates === undefined ? tokens : 0 };
}

/**
 * Sums over items. A value for a run marks both ends of the run, and a final pass adds up the marks. Sums are per estimated token, except
 * for items across two pieces.
 */
class ItemSums {
  readonly #sizes: Float64Array;
  readonly #calls: Float64Array;
  readonly #tokens: Float64Array;
  readonly #cached: Float64Array;
  readonly #usd: Float64Array;
  readonly #unpriced: Float64Array;
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

  sizeOf(from: number, to: number): number {
    return this.#sizes[to]! - this.#sizes[from]!;
  }

  /** @param at start of the run in the context, in tokens */
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
      const limit = this.#sizes[from]! + (piece.to - at) / scale;
      const end = firstWhere(item, to, (i) => this.#sizes[i + 1]! > limit);
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
}

function addBetween(changes: Float64Array, from: number, to: number, value: number): void {
  changes[from]! += value;
  changes[to]! -= value;
}
