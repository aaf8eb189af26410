import { expect, it } from "vitest";
import type { OverviewRow } from "../../../../src/domain/overview/overview.js";
import { axisText, barsOf, daysAhead, OTHERS, seriesOf } from "./bar-chart.js";

const row = (parts: Readonly<Record<string, readonly [usd: number, tokens: number, sessions: number]>>) =>
  ({
    name: "2026-11-05",
    cost: { usd: 9 },
    tokens: 90,
    sessions: 1,
    parts: Object.entries(parts).map(([name, [usd, tokens, sessions]]) => ({ name, usd, tokens, sessions })),
  }) as unknown as OverviewRow;

it("keeps the order of names by cost, whatever is measured, and puts those behind the sixth together", () => {
  const many = Object.fromEntries(
    Array.from("abcdefgh", (name, i) => [name, [8 - i, 10 * i, 1] as const] as const),
  );
  const rows = [row(many), row({ b: [5, 1, 1], [OTHERS]: [100, 7, 1] })];
  const series = seriesOf(rows);
  expect(series).toEqual(["b", "a", "c", "d", "e", "f", OTHERS]);
  expect(barsOf(rows, series, "tokens").map(({ values }) => values)).toEqual([
    [10, 0, 20, 30, 40, 50, 130],
    [1, 0, 0, 0, 0, 0, 7],
  ]);
});

it("says the total of a bar beside its height: a session may be in several parts", () => {
  const [bar] = barsOf([row({ a: [1, 1, 1], b: [1, 1, 1] })], ["a", "b"], "sessions");
  expect(bar).toMatchObject({ total: 1, height: 2 });
});

it("says dollars as fine as the axis is", () => {
  expect([
    axisText(0, "cost", 5),
    axisText(2500, "cost", 2500),
    axisText(2.5, "cost", 2.5),
    axisText(0.005, "cost", 0.005),
  ]).toEqual(["$0", "$2,500", "$2.50", "$0.005"]);
});

it("goes on to the end of the month that the last day is in", () => {
  expect(daysAhead({ month: "2026-11" }, "2026-11-28")).toEqual(["2026-11-29", "2026-11-30"]);
  expect(daysAhead({ month: "2026-11" }, "2026-10-31")).toEqual([]);
});
