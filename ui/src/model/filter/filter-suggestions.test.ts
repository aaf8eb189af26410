import { expect, it } from "vitest";
import { SESSION_STATES } from "../../../../src/domain/session/session.js";
import { suggestionsFor } from "./filter-suggestions.js";

const VALUES = {
  tenant: [
    { value: "shop", count: 3 },
    { value: "/srv/a b", label: "a b", count: 2 },
  ],
  tool: [{ value: "search", count: 5 }],
};
const texts = (text: string) => suggestionsFor(text, VALUES).offered.map((one) => one.text);

it("fields are suggested while a name is typed, and values that have the word", () => {
  expect(texts("x -to")).toEqual(["tool:", "tokens:"]);
  expect(texts("sh")).toEqual(["tenant:shop"]);
  expect(texts("")).toContain("compactions:");
  expect(texts("")).not.toContain("text:");
});

it("values are suggested behind a field, written as a filter takes them", () => {
  expect(texts("tenant:")).toEqual(["tenant:shop", 'tenant:"/srv/a b"']);
  expect(suggestionsFor("error tenant:B", VALUES)).toMatchObject({ at: 6, isFirstSelected: true });
  expect(texts("tenant:B")).toEqual(['tenant:"/srv/a b"']);
  expect(texts("tool:s")).toEqual(["tool:search"]);
  expect(texts("status:")).toEqual(SESSION_STATES.map((state) => `status:${state}`));
  expect(texts("cost:>1")).toEqual(["cost:>10"]);
});
