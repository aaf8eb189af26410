import { describe, expect, it } from "vitest";
import type { AgentContexts, ContextOfCall, ItemRun } from "../context/agent-contexts.js";
import { calibrateContexts } from "../context/calibrate-contexts.js";
import type { ContextItem } from "../context/context-item.js";
import type { ModelCall } from "../steps/session-steps.js";
import type { TokenRates } from "../usage/money.js";
import { contextTokens } from "../usage/token-counts.js";
import { carryingCost } from "./carrying-cost.js";

const RATES: TokenRates = {
  input: 3e-6,
  output: 15e-6,
  cacheRead: 0.3e-6,
  cacheWrite: 3.75e-6,
  cacheWrite1h: 6e-6,
};

/** A small generator of random numbers whose runs can be repeated (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function itemOf(estimate: number): ContextItem {
  return {
    origin: "tool",
    part: "result",
    messageIndex: 0,
    partIndex: 0,
    toolName: "",
    toolCallId: "",
    hash: 0,
    estimate,
    text: "",
  };
}

function randomContexts(seed: number): AgentContexts {
  const random = randomOf(seed);
  const integerBelow = (most: number) => Math.floor(random() * most);
  const items = Array.from({ length: 1 + integerBelow(30) }, () =>
    itemOf(integerBelow(5) === 0 ? 0 : integerBelow(2_000)),
  );
  const recorded: {
    readonly call: ModelCall;
    readonly runs: readonly ItemRun[];
    readonly estimated: number;
  }[] = [];
  for (let i = 0; i < 1 + integerBelow(20); i++) {
    const runs: ItemRun[] = [];
    for (let at = integerBelow(4); at < items.length; ) {
      const to = Math.min(items.length, at + 1 + integerBelow(12));
      runs.push([at, to]);
      at = to + 1 + integerBelow(5);
    }
    const estimated = runs.reduce(
      (sum, [from, to]) => sum + items.slice(from, to).reduce((size, { estimate }) => size + estimate, 0),
      0,
    );
    const counted = Math.floor(estimated * (0.2 + 3 * random())) + integerBelow(3_000);
    const read = integerBelow(counted + 1);
    const written = integerBelow(counted - read + 1);
    const usage = {
      inputTokens: counted - read - written,
      outputTokens: integerBelow(500),
      cacheReadTokens: read,
      cacheWriteTokens: written,
      cacheWrite1hTokens: integerBelow(written + 1),
    };
    const isCounted = integerBelow(10) > 0;
    const call = { stepId: `call ${i}`, usage: isCounted ? usage : undefined } as ModelCall;
    recorded.push({ call, runs, estimated });
  }
  const shares = calibrateContexts(
    recorded.map(({ call, estimated }) => ({ counted: call.usage && contextTokens(call.usage), estimated })),
  );
  const contexts = recorded.map(({ call, runs }, i) => ({
    call,
    runs,
    isRecorded: false,
    removals: [],
    rewrittenAt: undefined,
    ...shares[i]!,
  }));
  return { agentId: "", items, contexts, unseen: [] };
}

/** Token by token of its pieces, for each call and each item in it. */
function naiveCost(
  { items, contexts }: AgentContexts,
  ratesOf: (context: ContextOfCall) => TokenRates | undefined,
) {
  const carried = items.map(() => ({ calls: 0, tokens: 0, cachedTokens: 0, usd: 0, unpricedTokens: 0 }));
  for (const context of contexts) {
    const rates = context.call.usage && ratesOf(context);
    const { usage } = context.call;
    let at = context.system;
    for (const [from, to] of context.runs) {
      for (let i = from; i < to; i++) {
        const end = at + context.scale * items[i]!.estimate;
        const sum = carried[i]!;
        sum.calls++;
        sum.tokens += end - at;
        if (rates === undefined) sum.unpricedTokens += end - at;
        if (usage !== undefined) {
          const { cacheReadTokens: read, cacheWriteTokens: written, cacheWrite1hTokens: hour = 0 } = usage;
          const within = (low: number, high: number) => Math.max(0, Math.min(end, high) - Math.max(at, low));
          sum.cachedTokens += within(0, read);
          if (rates !== undefined) {
            const share = written === 0 ? 0 : hour / written;
            sum.usd += within(0, read) * rates.cacheRead;
            sum.usd +=
              within(read, read + written) * (rates.cacheWrite * (1 - share) + rates.cacheWrite1h * share);
            sum.usd += within(read + written, Number.POSITIVE_INFINITY) * rates.input;
          }
        }
        at = end;
      }
    }
  }
  return carried;
}

describe("carrying cost", () => {
  const ratesOf = ({ call }: ContextOfCall) => (call.stepId.endsWith("3") ? undefined : RATES);

  it("is what one counts for each call and each item in it", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const contexts = randomContexts(seed);
      const { items } = carryingCost(contexts, ratesOf);
      for (const [i, naive] of naiveCost(contexts, ratesOf).entries()) {
        const own = items[i]!;
        expect(own.calls, `seed ${seed}, item ${i}`).toBe(naive.calls);
        expect(own.tokens, `seed ${seed}, item ${i}`).toBeCloseTo(naive.tokens, 5);
        expect(own.cachedTokens, `seed ${seed}, item ${i}`).toBeCloseTo(naive.cachedTokens, 5);
        expect(own.unpricedTokens, `seed ${seed}, item ${i}`).toBeCloseTo(naive.unpricedTokens, 5);
        expect(own.usd, `seed ${seed}, item ${i}`).toBeCloseTo(naive.usd, 9);
      }
    }
  });

  it("adds up to what the calls read and paid for", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const contexts = randomContexts(seed);
      const { items, system, unaccounted } = carryingCost(contexts, () => RATES);
      const parts = [...items, system, unaccounted];
      const counted = contexts.contexts.filter(({ call }) => call.usage !== undefined);
      const uncounted = contexts.contexts.filter(({ call }) => call.usage === undefined);
      const estimated = uncounted.reduce(
        (sum, { runs, scale, system }) =>
          sum +
          system +
          scale * runs.reduce((size, [from, to]) => size + sizeOf(contexts.items.slice(from, to)), 0),
        0,
      );
      const read = counted.reduce((sum, { call }) => sum + contextTokens(call.usage!), 0);
      const paid = counted.reduce((sum, { call: { usage } }) => {
        const hour = usage!.cacheWrite1hTokens!;
        const written = (usage!.cacheWriteTokens - hour) * RATES.cacheWrite + hour * RATES.cacheWrite1h;
        return sum + usage!.inputTokens * RATES.input + usage!.cacheReadTokens * RATES.cacheRead + written;
      }, 0);
      expect(total(parts.map(({ tokens }) => tokens))).toBeCloseTo(read + estimated, 4);
      expect(total(parts.map(({ usd }) => usd))).toBeCloseTo(paid, 8);
    }
  });
});

function sizeOf(items: readonly ContextItem[]): number {
  return total(items.map(({ estimate }) => estimate));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
