/**
 * Full-text search over the envelopes as they came: their JSON text, so that whatever an event holds can be found, also in
 * fields that no view knows. Case does not matter.
 */
export function searchTexts(texts: readonly string[], query: string): Set<number> {
  const hits = new Set<number>();
  const pattern = searchPattern(query);
  if (pattern === undefined) return hits;
  for (let index = 0; index < texts.length; index++) if (pattern.test(texts[index]!)) hits.add(index);
  return hits;
}

/** The query as it stands inside JSON text: quotes, backslashes and line breaks are escaped there. */
function searchPattern(query: string): RegExp | undefined {
  if (query.trim() === "") return undefined;
  const inJson = JSON.stringify(query).slice(1, -1);
  return new RegExp(inJson.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
}
