import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterEach, describe, expect, it, vi } from "vitest";
import { slimPrices } from "../../../scripts/slim-prices.mjs";
import { CONTEXT_TIERS } from "../../domain/usage/context-tiers.js";
import { costOfUsage, type PricedCall } from "../../domain/usage/money.js";
import { BUNDLED_PRICES } from "./bundled-prices.js";

const ratesOf = await BUNDLED_PRICES.load();
const AT = Date.parse("2026-02-01T12:00:00Z");

function rates(model: string, call: Partial<PricedCall> = {}) {
  return ratesOf({ model, at: AT, contextTokens: 1_000, ...call });
}

/** US dollars of a million tokens. */
function perMillion(model: string, call: Partial<PricedCall> = {}) {
  const callRates = rates(model, call);
  if (callRates === undefined) return undefined;
  const round = (rate: number) => Number((rate * 1e6).toFixed(9));
  return [
    callRates.input,
    callRates.output,
    callRates.cacheRead,
    callRates.cacheWrite,
    callRates.cacheWrite1h,
  ].map(round);
}

afterEach(() => vi.unstubAllGlobals());

describe("The bundled prices", () => {
  it("name the version that is installed", () => {
    const main = createRequire(import.meta.url).resolve("@pydantic/genai-prices");
    const { version } = JSON.parse(readFileSync(new URL("../package.json", `file://${main}`), "utf8"));
    expect(BUNDLED_PRICES.source).toContain(`genai-prices ${version} of `);
  });

  it("price the five kinds of tokens", () => {
    expect(perMillion("claude-opus-4-1-20250805")).toEqual([15, 75, 1.5, 18.75, 30]);
    const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 10_000, cacheWriteTokens: 3_000 };
    const callRates = rates("claude-opus-4-1-20250805")!;
    expect(costOfUsage(usage, callRates)).toBeCloseTo(0.015 + 0.0075 + 0.015 + 0.05625, 12);
    expect(costOfUsage({ ...usage, cacheWrite1hTokens: 1_000 }, callRates)).toBeCloseTo(
      0.015 + 0.0075 + 0.015 + 0.0375 + 0.03,
      12,
    );
  });

  it("take the price of the day of the call", () => {
    const before = perMillion("o3", { at: Date.parse("2025-06-09T23:59:59Z") });
    expect(before?.slice(0, 2)).toEqual([10, 40]);
    expect(perMillion("o3", { at: Date.parse("2025-06-10T00:00:00Z") })?.slice(0, 2)).toEqual([2, 8]);
  });

  it("take the price of the hour where there is one", () => {
    const at = (time: string) => perMillion("deepseek-chat", { at: Date.parse(`2025-06-01T${time}Z`) });
    expect(at("12:00:00")).not.toEqual(at("20:00:00"));
    expect(at("12:00:00")).toEqual(at("13:00:00"));
  });

  it("take the price of the tier above which the context is, for all tokens", () => {
    const model = "claude-sonnet-4-5-20250929";
    expect(perMillion(model, { contextTokens: 200_000 })).toEqual([3, 15, 0.3, 3.75, 6]);
    expect(perMillion(model, { contextTokens: 200_001 })).toEqual([6, 22.5, 0.6, 7.5, 12]);
  });

  it("price what is cached as input where a vendor has no price for it", () => {
    expect(perMillion("gpt-4")).toEqual([30, 60, 30, 30, 30]);
    expect(perMillion("gpt-5")).toEqual([1.25, 10, 0.125, 1.25, 1.25]);
  });

  it("know names as tools record them", () => {
    expect(perMillion("models/gemini-2.5-pro")).toEqual(perMillion("gemini-2.5-pro"));
    expect(perMillion("publishers/google/models/gemini-2.5-pro")).toEqual(perMillion("gemini-2.5-pro"));
    expect(perMillion("claude-opus-5[1m]")).toEqual(perMillion("claude-opus-5"));
    expect(perMillion("openai/gpt-5")).toEqual(perMillion("gpt-5"));
    expect(perMillion("anthropic/claude-opus-5")).toEqual(perMillion("claude-opus-5"));
    const bedrock = perMillion("claude-sonnet-4-5-20250929", { provider: "aws.bedrock" });
    expect(bedrock?.slice(0, 2)).toEqual([3.3, 16.5]);
    for (const name of [
      "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "arn:aws:bedrock:us-east-1:123:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ]) {
      expect([name, perMillion(name)]).toEqual([name, bedrock]);
    }
  });

  it.each([
    ["<synthetic>", {}],
    ["review-model", {}],
    ["", {}],
    ["a".repeat(100_000), {}],
    [`gpt-5${" ".repeat(300)}`, {}],
    ["gpt-5", { provider: "a gateway of one's own" }],
    ["gpt-5", { provider: "anthropic" }],
    ["anthropic/gpt-5", {}],
    ["hardcoded/gpt-5", {}],
    ["gpt-5", { at: Number.NaN }],
  ])("have none for %j of %j", (model, call) => {
    expect(rates(model, call)).toBeUndefined();
    expect(rates(model, call)).toBeUndefined(); // remembered
  });

  it("ask no network", async () => {
    const fetched = vi.fn(() => Promise.reject(new Error("The table asked the network.")));
    vi.stubGlobal("fetch", fetched);
    expect((await BUNDLED_PRICES.load())({ model: "gpt-5-mini", at: AT, contextTokens: 1 })).toBeDefined();
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe("The bundled prices of a page that is a file", () => {
  it("are the same, without what they do not depend on", async () => {
    const fullPrices = await import("@pydantic/genai-prices");
    const code = readFileSync(
      createRequire(import.meta.url)
        .resolve("@pydantic/genai-prices")
        .replace(/cjs$/, "js"),
      "utf8",
    );
    const slimCode = slimPrices(code);
    expect(slimCode.length).toBeLessThan(0.75 * code.length);
    const data = `data:text/javascript;base64,${Buffer.from(slimCode).toString("base64")}`;
    const slim = (await import(data)) as typeof fullPrices;
    let providerId = "";
    const priceOf = ({ calcPrice }: typeof fullPrices, model: string) => {
      const callRates = calcPrice({}, model, { timestamp: new Date(AT), providerId });
      return callRates && [callRates.model.id, callRates.model.context_window, callRates.model_price];
    };
    let models = 0;
    for (const [, indent = "", id = ""] of code.matchAll(/^( {4}| {8})id: "(.*)",?$/gm)) {
      if (indent.length === 4) providerId = id;
      else if (priceOf(fullPrices, id) !== null) models++;
      expect([id, priceOf(slim, id)]).toEqual([id, priceOf(fullPrices, id)]);
    }
    expect(models).toBeGreaterThan(1_000);
  });
});

describe("The tiers of the bundled prices", () => {
  it("begin at the lengths by which usage is summed up", () => {
    const code = readFileSync(createRequire(import.meta.url).resolve("@pydantic/genai-prices"), "utf8");
    const starts = [...code.matchAll(/\bstart: ?(\d+(?:e\d+)?)/g)].map(([, start]) => Number(start));
    expect(starts.length).toBeGreaterThan(50);
    expect(starts.filter((start) => !CONTEXT_TIERS.some((tier) => tier === start))).toEqual([]);
  });
});
