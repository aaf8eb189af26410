import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NUMBER_FIELDS, TEXT_FIELDS } from "../../src/domain/filter/session-filter.js";

const document = readFileSync(new URL("../../docs/http-api.md", import.meta.url), "utf8");

/** The rows of the tables of fields: `` | `cost:` | US dollars † | ``. */
const ROWS = [...document.matchAll(/^\| `(\w+):` \| ([^|]+) \|(?: (\w+) \|)?$/gm)];

it("docs/http-api.md has each field of a filter, how it compares, and what has to be known for it", () => {
  const needsOf = (says: string) => (says.endsWith("*") ? "facts" : says.endsWith("†") ? "cost" : "list");
  const documented = ROWS.map(([, name, says = "", compares]) => ({ name, needs: needsOf(says), compares }));
  const { text: _, ...texts } = TEXT_FIELDS;
  const fields = [...Object.entries(texts), ...Object.entries(NUMBER_FIELDS)];
  expect(documented).toEqual(
    fields.map(([name, field]) => ({
      name,
      needs: field.needs,
      compares: "compares" in field ? field.compares : undefined,
    })),
  );
});
