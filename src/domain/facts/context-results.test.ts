import { expect, it } from "vitest";
import { HeldResults, type ReadTokens } from "./context-results.js";

function read(held: HeldResults<string>): Record<string, ReadTokens> {
  const tokens: Record<string, ReadTokens> = {};
  held.read((tool, one) => {
    tokens[tool] = one;
  });
  return tokens;
}

it("tells what a call reads for the first time from what it reads again, until the context is summed up", () => {
  const held = new HeldResults<string>();
  held.add("search", 10);
  held.add("search", 5);
  expect(read(held)).toEqual({ search: { first: 15, again: 0 } });
  held.add("read", 2);
  held.add("search", 1);
  expect(read(held)).toEqual({ search: { first: 1, again: 15 }, read: { first: 2, again: 0 } });
  held.compact();
  expect(read(held)).toEqual({});
});
