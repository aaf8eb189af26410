import { expect, it } from "vitest";
import { RecentValues } from "./recent-values.js";

it("makes a value once, as long as it is among the last that were asked for", () => {
  const made: string[] = [];
  const values = new RecentValues<number>(2);
  const get = (key: string) => values.get(key, () => made.push(key));
  expect([get("a"), get("b"), get("a"), get("c"), get("a")]).toEqual([1, 2, 1, 3, 1]);
  expect(values.has("b")).toBe(false);
  get("b");
  expect(made).toEqual(["a", "b", "c", "b"]);
});
