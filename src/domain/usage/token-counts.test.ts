import { expect, it } from "vitest";
import { readUsage } from "../dialects/recorded-usage.js";
import { contextTokens, estimateTokens } from "./token-counts.js";

it("reads the usage of several vendors", () => {
  const ours = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
  expect(readUsage({ usage: ours })).toEqual(ours);
  expect(
    readUsage({
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 4,
      },
    }),
  ).toEqual(ours);
  expect(readUsage({ usage: { prompt_tokens: 7, completion_tokens: 2 } })).toMatchObject({ inputTokens: 7 });
  expect(contextTokens(ours)).toBe(8);
});

it("knows no usage where none is recorded", () => {
  expect(readUsage({})).toBeUndefined();
  expect(readUsage({ usage: "many" })).toBeUndefined();
  expect(readUsage({ usage: { seconds: 3 } })).toBeUndefined();
});

it("estimates four characters a token", () => expect([0, 1, 9].map(estimateTokens)).toEqual([0, 1, 3]));
