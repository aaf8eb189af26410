import { expect } from "vitest";
import type { SearchQuery } from "../../../src/domain/search/search-query.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { type NaiveRecord, naiveRecords, naiveSearch, placesOf } from "../../contract/naive-search.js";

/** Deterministic pseudo-random numbers. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Parts of the texts, some in another case, some with an additional character. */
function needlesIn(records: readonly NaiveRecord[], count: number): SearchQuery[] {
  const random = randomNumbers(count);
  const texts = records.flatMap((record) => record.texts).filter((text) => text !== "");
  return Array.from({ length: count }, (_, i) => {
    const text = texts[random(texts.length)]!;
    const start = random(text.length);
    const cut = text.slice(start, start + 1 + random(30));
    const changed = [cut, cut.toUpperCase(), cut.toLowerCase(), `${cut}\u{1F99C}`, cut][i % 5]!;
    return { kind: "text", text: changed, isExact: random(2) === 0 };
  });
}

export const CHOSEN: readonly SearchQuery[] = [
  '"',
  "\\",
  "\n",
  "\\n",
  "\u{1F99C}",
  "日本",
  "\\u003c",
  "<",
  "/",
  "\u0007",
  "nowhere-at-all",
].map((text) => ({ kind: "text", text, isExact: false }));

export async function expectEqual(
  source: InspectorDataSource,
  random: number,
  chosen = CHOSEN,
): Promise<number> {
  const records = await naiveRecords(source);
  let found = 0;
  for (const query of [...chosen, ...needlesIn(records, random)]) {
    const expected = naiveSearch(records, query);
    expect([query, (await placesOf(source, query)).sort()]).toEqual([query, expected.sort()]);
    found += expected.length;
  }
  await source.close?.();
  return found;
}
