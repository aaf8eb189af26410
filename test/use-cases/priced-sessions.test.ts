import { describe, expect, it } from "vitest";
import {
  CallPricing,
  InProcessPool,
  ListSessions,
  type PriceTable,
  SourceUnavailableError,
} from "../../src/advanced.js";
import type { ListedSession } from "../../src/domain/session/model-usage.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { recordsOf } from "../support/list-records.js";

const RATES = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };
const AT = Date.UTC(2026, 0, 15);

function session(
  sessionId: string,
  model: string,
  more: { readonly recordedUsd?: number; readonly placeholderCalls?: number } = {},
): ListedSession {
  const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    ...{ tenantId: "acme", sessionId, userId: "ada", turns: 1, tokens: 11, status: "idle" },
    lastActive: new Date(AT).toISOString(),
    usageByModel: [{ model, at: AT, contextTokens: 10, calls: 1, usage, ...more }],
  };
}

function tableInThreads() {
  const asked: string[][] = [];
  const table: PriceTable = {
    source: "a list",
    load: () => Promise.reject(new Error("The table is loaded by the host.")),
    inThreads: {
      table: undefined,
      task: {
        module: "none",
        name: "none",
        *steps({ calls }) {
          asked.push([...calls.nameOf].map((name) => calls.names[name]!.model));
          const rateOf = Int32Array.from(calls.nameOf, (name) => (calls.names[name]!.model === "m" ? 0 : -1));
          return { rates: [RATES], rateOf };
        },
      },
    },
  };
  return { table, asked };
}

describe("What listed sessions cost", () => {
  it("is the least that it can be where a call's output was not counted whole", async () => {
    const { table } = tableInThreads();
    const sessions = [session("a", "m", { placeholderCalls: 1 }), session("b", "m")];
    const source = handMadeSource({ listSessions: async () => sessions });
    const list = new ListSessions(source, new CallPricing(table, new InProcessPool()));
    const cost = { usd: 12, recordedUsd: 0, unpricedCalls: 0, unpricedTokens: 0 };
    expect((await recordsOf(await list.execute())).map((item) => item.cost)).toEqual([
      { ...cost, placeholderCalls: 1 },
      cost,
    ]);
  });

  it("is looked up where the table can be had without the host, once for what is listed again", async () => {
    const { table, asked } = tableInThreads();
    const sessions = [session("a", "m"), session("b", "own"), session("c", "m", { recordedUsd: 5 })];
    const source = handMadeSource({ listSessions: async () => sessions });
    const list = new ListSessions(source, new CallPricing(table, new InProcessPool()));
    const costs = async () =>
      (await recordsOf(await list.execute())).map(({ sessionId, cost }) => [sessionId, cost]);
    const none = { recordedUsd: 0, unpricedCalls: 0, unpricedTokens: 0 };
    const expected = [
      ["a", { ...none, usd: 12 }],
      ["b", { ...none, usd: 0, unpricedCalls: 1, unpricedTokens: 11 }],
      ["c", { ...none, usd: 5, recordedUsd: 5 }],
    ];
    expect(await costs()).toEqual(expected);
    expect(await costs()).toEqual(expected);
    expect(asked).toEqual([["m", "own"]]);
    sessions.push(session("d", "m"));
    expect(await costs()).toEqual([...expected, ["d", { ...none, usd: 12 }]]);
    expect(asked).toEqual([["m", "own"], ["m"]]);
  });

  it("is looked up by the host where no thread can be had", async () => {
    const { table } = tableInThreads();
    const load = async () => () => RATES;
    const pool = new InProcessPool();
    pool.run = () => Promise.reject(new SourceUnavailableError("There are no threads here."));
    const source = handMadeSource({ listSessions: async () => [session("a", "m")] });
    const list = new ListSessions(source, new CallPricing({ ...table, load }, pool));
    expect(await recordsOf(await list.execute())).toMatchObject([{ sessionId: "a", cost: { usd: 12 } }]);
  });

  it("needs no table where nothing was used", async () => {
    const { table, asked } = tableInThreads();
    const { usageByModel: _, ...unused } = session("a", "m");
    const source = handMadeSource({ listSessions: async () => [unused] });
    const [listed] = await recordsOf(
      await new ListSessions(source, new CallPricing(table, new InProcessPool())).execute(),
    );
    expect(listed).not.toHaveProperty("cost");
    expect(asked).toEqual([]);
  });
});
