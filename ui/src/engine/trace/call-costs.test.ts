import { expect, it, vi } from "vitest";
import { BASE, envelope, FakeApi, SESSION } from "../../../test/support/fake-api.js";
import { engineMethods } from "../engine-methods.js";
import { type SessionState, traceQuery } from "./trace-protocol.js";

const RATES = { input: 2, output: 3, cacheRead: 1, cacheWrite: 1, cacheWrite1h: 1 };

const call = (sequence: number, callId: string, model: string, more: object = {}) => [
  envelope(sequence, "llm.start", { callId, model }),
  envelope(sequence + 1, "llm.end", { callId, usage: { inputTokens: 10, outputTokens: 1 }, ...more }),
];

/** A turn with a call that has a price, one whose cost is recorded, and one without either. */
const TURN = [
  envelope(1, "turn.start", { turnIndex: 1, input: "Go." }),
  ...call(2, "a", "known"),
  ...call(4, "b", "known", { costUSD: 7 }),
  ...call(6, "c", "unknown"),
  envelope(8, "turn.end", { turnIndex: 1 }),
];

it("What a model call cost is on its row, and the sum on the rows that it lies in", async () => {
  const api = new FakeApi();
  api.rates.set("known", RATES);
  api.change("trace", ...TURN);
  let state: SessionState | undefined;
  const engine = engineMethods(BASE, (update) => {
    if (update.topic === "session") state = update.state;
  });
  await engine.openSession(SESSION, traceQuery({}));
  await vi.waitFor(() => expect(state?.cost).toBeDefined());
  const sum = { usd: 30, recordedUsd: 7, unpricedCalls: 1, unpricedTokens: 11 };
  expect(state?.cost).toEqual(sum);
  engine.traceFoldAll(false);
  expect(
    engine.traceRows(0, 9).map(({ kind, name, cost }) => [kind, name, cost?.usd, cost?.unpricedCalls]),
  ).toEqual([
    ["turn", "", 30, 1],
    ["llm", "known", 23, 0],
    ["llm", "known", 7, 0],
    ["llm", "unknown", 0, 1],
  ]);
  engine.traceView(traceQuery({ order: "cost" }));
  expect(engine.traceRows(0, 9).map(({ cost }) => cost?.usd)).toEqual([7, 23]);
});

it("While the rates of a new model are asked for, the steps before keep their costs", async () => {
  const api = new FakeApi();
  api.rates.set("known", RATES);
  api.change("trace", ...TURN.slice(0, 3));
  const costs: (number | undefined)[] = [];
  const engine = engineMethods(BASE, (update) => {
    if (update.topic === "session") costs.push(engine.traceRows(1, 2)[0]?.cost?.usd);
  });
  await engine.openSession(SESSION, traceQuery({}));
  await vi.waitFor(() => expect(costs.at(-1)).toBe(23));
  costs.length = 0;
  api.change("trace", ...TURN.slice(5));
  await engine.pollSession();
  await vi.waitFor(() => expect(engine.traceRows(2, 3)[0]?.cost?.unpricedCalls).toBe(1));
  expect(costs.length).toBeGreaterThan(0);
  expect(new Set(costs)).toEqual(new Set([23]));
});
