import { describe, expect, it } from "vitest";
import { InProcessPool } from "../../application/threads/in-process-pool.js";
import type { CallColumns } from "../../domain/usage/call-prices.js";
import { ThreadPool } from "../files/threads/thread-pool.js";
import { BUNDLED_PRICES } from "./bundled-prices.js";
import type { ModelPrices } from "./own-prices.js";
import { PRICE_CALLS } from "./price-table.js";

const AT = Date.UTC(2026, 6, 1);
const CALLS: CallColumns = {
  names: [
    { model: "claude-sonnet-4-5", provider: "anthropic" },
    { model: "house-model", provider: undefined },
    { model: "nobody-sells-this", provider: undefined },
  ],
  nameOf: Int32Array.of(0, -1, 0, 1, 2, 0),
  at: new Float64Array(6).fill(AT),
  contextTokens: Float64Array.of(1_000, 0, 250_000, 10, 10, 2_000),
};
const OWN: ModelPrices = { "house-*": { input: 1, output: 2 } };

describe("calls that are priced as a task", () => {
  for (const [where, pool] of [
    ["in a thread", new ThreadPool()],
    ["on the event loop", new InProcessPool()],
  ] as const) {
    it(`have the rates of the bundled table ${where}, each rate once`, async () => {
      const { rates, rateOf } = await pool.run(PRICE_CALLS, { calls: CALLS, table: undefined });
      const ratesOf = await BUNDLED_PRICES.load();
      const rate = (contextTokens: number) => ratesOf({ ...CALLS.names[0]!, at: AT, contextTokens })!;
      expect(rates).toEqual([rate(1_000), rate(250_000)]);
      expect([...rateOf]).toEqual([0, -1, 1, -1, -1, 0]);
    });

    it(`have own prices above them ${where}`, async () => {
      const { rates, rateOf } = await pool.run(PRICE_CALLS, { calls: CALLS, table: OWN });
      expect([...rateOf]).toEqual([0, -1, 1, 2, -1, 0]);
      expect(rates[2]).toMatchObject({ input: 1e-6, output: 2e-6, cacheRead: 1e-6 });
      await pool.close();
    });
  }
});
