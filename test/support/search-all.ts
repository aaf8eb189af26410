import { expect } from "vitest";
import type { RecordSearch, RecordSearchPage } from "../../src/application/ports/record-search.js";
import type { SearchQuery } from "../../src/domain/search/search-query.js";
import type { InspectorDataSource } from "../../src/index.js";

/** Also checks the order of pages and their cursors. */
export async function searchAll(
  source: InspectorDataSource,
  query: SearchQuery,
  options: Partial<RecordSearch> = {},
): Promise<RecordSearchPage[]> {
  const pages: RecordSearchPage[] = [];
  let searched = 0;
  for (let after = options.after; ; ) {
    const search = { query, limit: 1_000, budgetMs: 60_000, ...options, after };
    const page = await source.searchRecords!(search);
    pages.push(page);
    expect(page.candidates.length).toBeLessThanOrEqual(search.limit);
    expect(page.searched.sessions).toBeLessThanOrEqual(page.total.sessions!);
    for (const { before } of page.candidates) {
      expect(before.sessions).toBeGreaterThanOrEqual(searched);
      expect(before.sessions).toBeLessThan(page.searched.sessions!);
      expect(before.bytes).toBeLessThanOrEqual(page.searched.bytes!);
    }
    if (page.next === undefined) {
      expect(page.searched).toEqual(page.total);
      return pages;
    }
    expect(page.searched.sessions).toBeGreaterThan(searched);
    searched = page.searched.sessions!;
    after = page.next;
  }
}

export function namesIn(pages: readonly RecordSearchPage[]): string[] {
  return pages.flatMap(({ candidates }) =>
    candidates.map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`),
  );
}

/** Without names of members. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
