import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { GetSessionTrace } from "../../src/application/questions/get-session-trace.js";
import { SearchRecords } from "../../src/application/questions/search-records.js";
import type { SearchRecordsOptions } from "../../src/application/search/search-setup.js";
import { textsOfEnvelope, textsOfMessage } from "../../src/domain/search/content-texts.js";
import type { SearchHit } from "../../src/domain/search/search-hit.js";
import { CONTENT_KINDS, type SearchQuery } from "../../src/domain/search/search-query.js";
import { compareSessions } from "../../src/domain/session/session.js";

export interface NaiveRecord {
  /** Session and place, as {@link placesOf} writes it. */
  readonly place: string;
  readonly texts: readonly string[];
}

/** In the order of a search. */
export async function naiveRecords(source: InspectorDataSource): Promise<NaiveRecord[]> {
  const trace = new GetSessionTrace(source);
  const records: NaiveRecord[] = [];
  for (const { tenantId, sessionId } of (await source.listSessions()).sort(compareSessions)) {
    const list = await trace.execute({ tenantId, sessionId });
    if (list.isUnchanged) throw new Error("Nothing was said to be known.");
    let json = "";
    const decoder = new TextDecoder();
    for await (const text of list.texts) json += `${json === "" ? "" : ","}${decoder.decode(text)}`;
    const place = (name: string, at: unknown) => `${tenantId}/${sessionId} ${name} ${at}`;
    for (const envelope of JSON.parse(`[${json}]`) as { readonly sequence: number }[]) {
      records.push({
        place: place("sequence", envelope.sequence),
        texts: Array.from(textsOfEnvelope(envelope), ({ text }) => text),
      });
    }
    const session = await source.openSession?.(tenantId, sessionId);
    if ((await session?.trace())?.messagesOf !== undefined) continue;
    for (const [i, message] of (await source.loadMessages(tenantId, sessionId)).entries()) {
      records.push({
        place: place("message", i),
        texts: Array.from(textsOfMessage(message), ({ text }) => text),
      });
    }
  }
  return records;
}

/** One entry a record: `acme/s1 sequence 3: 2`. */
export function naiveSearch(records: readonly NaiveRecord[], query: SearchQuery): string[] {
  const source = query.kind === "text" ? query.text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : query.text;
  const pattern = new RegExp(source, query.isExact ? "g" : "gi");
  return records.flatMap(({ place, texts }) => {
    let matches = 0;
    for (const text of texts) for (const [match] of text.matchAll(pattern)) if (match !== "") matches++;
    return matches === 0 ? [] : [`${place}: ${matches}`];
  });
}

/** Follows the cursors to the end; in the form of {@link naiveSearch}. */
export async function placesOf(
  source: InspectorDataSource,
  query: SearchQuery,
  { limit = 1_000, ...options }: SearchRecordsOptions & { readonly limit?: number } = {},
): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const { tenantId, sessionId, sequence, messageIndex, matches } of await allHits(
    source,
    query,
    limit,
    options,
  )) {
    const at = sequence === undefined ? `message ${messageIndex}` : `sequence ${sequence}`;
    const place = `${tenantId}/${sessionId} ${at}`;
    counts.set(place, (counts.get(place) ?? 0) + matches);
  }
  return [...counts].map(([place, matches]) => `${place}: ${matches}`);
}

async function allHits(
  source: InspectorDataSource,
  query: SearchQuery,
  limit: number,
  options: SearchRecordsOptions,
): Promise<SearchHit[]> {
  const search = new SearchRecords(source, undefined, options);
  const hits: SearchHit[] = [];
  let cursor: string | undefined;
  do {
    const answer = await search.execute({ query, kinds: CONTENT_KINDS, limit, cursor });
    hits.push(...answer.hits);
    cursor = answer.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return hits;
}
