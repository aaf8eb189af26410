import { describe, expect, it } from "vitest";
import { type ModelPrices, NamePattern, ownPrices } from "./own-prices.js";
import { NO_PRICES } from "./price-table.js";

const BENEATH = {
  source: "a list",
  load: async () => () => ({ input: 9, output: 9, cacheRead: 9, cacheWrite: 9, cacheWrite1h: 9 }),
};

async function inputPrice(prices: ModelPrices, model: string, day = "2026-01-01", beneath = NO_PRICES) {
  const ratesOf = await ownPrices(prices, beneath).load();
  return ratesOf({ model, at: Date.parse(day), contextTokens: 1 })?.input;
}

describe("Own prices", () => {
  it("are of a million tokens, and what is cached costs as much as input unless they say otherwise", async () => {
    const prices = { plain: { input: 2, output: 4 }, cached: { input: 2, output: 4, cacheWrite: 3 } };
    const ratesOf = await ownPrices(prices, NO_PRICES).load();
    const rates = (model: string) => ratesOf({ model, at: 0, contextTokens: 1 });
    expect(rates("plain")).toEqual({
      input: 2e-6,
      output: 4e-6,
      cacheRead: 2e-6,
      cacheWrite: 2e-6,
      cacheWrite1h: 2e-6,
    });
    expect(rates("cached")).toMatchObject({ cacheWrite: 3e-6, cacheWrite1h: 3e-6 });
  });

  it("take the name that says most", async () => {
    const price = (input: number) => ({ input: input * 1e6, output: 0 });
    const prices = {
      "*": price(1),
      "gpt-*": price(2),
      "gpt-5*": price(3),
      "gpt-5-mini": price(4),
      "*-5x": price(5),
    };
    const matches = ["o3", "gpt-4", "GPT-5.1", "gpt-5-mini", "gpt-5-mini-2"].map((name) =>
      inputPrice(prices, name),
    );
    expect(await Promise.all(matches)).toEqual([1, 2, 3, 4, 3]);
  });

  it("take the newest price that is not later than the call, in whatever order they stand", async () => {
    const prices = {
      m: [
        { from: "2026-03-01", input: 3e6, output: 0 },
        { from: "2026-01-01", input: 1e6, output: 0 },
        { from: "2026-02-01T12:00:00Z", input: 2e6, output: 0 },
      ],
    };
    const days = ["2026-01-31", "2026-02-01T11:59:59Z", "2026-02-01T12:00:00Z", "2026-03-01", "2027-01-01"];
    expect(await Promise.all(days.map((day) => inputPrice(prices, "m", day)))).toEqual([1, 1, 2, 3, 3]);
    expect(await inputPrice(prices, "m", "2025-12-31")).toBeUndefined();
  });

  it("leave what they do not price to the table beneath", async () => {
    const prices = { m: { from: "2026-03-01", input: 1e6, output: 0 } };
    expect(await inputPrice(prices, "other", "2026-04-01", BENEATH)).toBe(9);
    expect(await inputPrice(prices, "m", "2026-02-01", BENEATH)).toBe(9);
    expect(await inputPrice(prices, "m", "2026-03-01", BENEATH)).toBe(1);
    expect(await inputPrice({ m: { input: 0, output: 0 } }, "m", "2026-04-01", BENEATH)).toBe(0);
  });

  it("say where prices come from", () => {
    expect(ownPrices({}, BENEATH).source).toBe("own prices, and a list");
    expect(ownPrices({}, NO_PRICES).source).toBe("own prices");
  });

  it.each<[unknown, string]>([
    [[], "It has to be an object with a member for each model."],
    [{ m: 3 }, '"m": a price is an object with "input" and "output".'],
    [
      { m: { input: 1 } },
      '"m": "output" is missing. It has to be a number of US dollars per million tokens.',
    ],
    [{ m: { input: "1", output: 1 } }, '"m": "input" is "1". It has to be'],
    [{ m: { input: 1, output: -1 } }, '"m": "output" is -1. It has to be'],
    [
      {
        m: [
          { input: 1, output: 1 },
          { input: 1, output: 1, cacheRead: null },
        ],
      },
      '"m", price 2: "cacheRead" is null.',
    ],
    [
      { m: { input: 1, output: 1, cache_read: 1 } },
      '"m": "cache_read" is no member of a price. They are input, output, cacheRead, cacheWrite, cacheWrite1h, from. Did you mean "cacheRead"?',
    ],
    [
      { m: { input: 1, output: 1, currency: 1 } },
      '"m": "currency" is no member of a price. They are input, output, cacheRead, cacheWrite, cacheWrite1h, from.',
    ],
    [{ m: { input: 1, output: 1, from: "soon" } }, '"m": "from" is "soon". It has to be a day'],
    [{ m: { input: 1, output: 1, from: "2026-13-01" } }, '"m": "from" is "2026-13-01".'],
  ])("refuse %j", (prices, problem) => {
    expect(() => ownPrices(prices as ModelPrices, NO_PRICES)).toThrow(TypeError);
    expect(() => ownPrices(prices as ModelPrices, NO_PRICES)).toThrow(problem);
  });
});

describe("A name with stars", () => {
  it.each([
    ["a*c", "ac", true],
    ["a*c", "abc", true],
    ["a*c", "abcd", false],
    ["aa*aa", "aaa", false],
    ["*b*", "abc", true],
    ["*b*d*", "adb", false],
    ["a.c", "abc", false],
    ["", "", true],
    ["", "a", false],
  ])("%s fits %s: %s", (pattern, name, expected) => {
    expect(new NamePattern(pattern).fits(name)).toBe(expected);
  });
});
