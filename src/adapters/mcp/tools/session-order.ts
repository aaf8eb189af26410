import { MAX_LIMIT } from "../../../application/listing/window.js";
import { changed, recordsIn } from "../../../application/questions/json-list.js";
import type { SessionQuery } from "../../../application/questions/list-sessions.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import { hasNoCounts, type InspectorSessionItem } from "../../../domain/session/session.js";
import { plausibleInstant } from "../../../domain/trace/instant.js";

/** Most first; `newest` is the order of the list. */
export const SORTS = ["newest", "cost", "tokens", "errors", "duration", "turns"] as const;
export type Sort = (typeof SORTS)[number];

export interface SortedSessions {
  readonly items: readonly InspectorSessionItem[];
  /** `undefined` if not all sessions were examined. */
  readonly matchCount?: number;
  readonly nextCursor: string | null;
  readonly counts: { readonly [Name in "total" | "unread" | "undecided"]?: number | undefined };
  readonly warnings: number;
}

/**
 * For an order that the list does not support: reads the entire list. Sessions without the figure come last; of two equal sessions the
 * newer comes first.
 * @param from number of sessions to skip
 */
export async function findSorted(
  { listSessions }: Pick<InspectorUseCases, "listSessions">,
  filter: string | undefined,
  [sort, from, limit]: readonly [by: Exclude<Sort, "newest">, from: number, limit: number],
  signal: AbortSignal,
): Promise<SortedSessions> {
  const most = from + limit;
  let best: InspectorSessionItem[] = [];
  let matchCount = 0;
  let warnings = 0;
  for (let cursor: string | undefined; ; ) {
    const query: SessionQuery = { filter, window: { limit: MAX_LIMIT, cursor } };
    const list = changed(await listSessions.execute(query, { signal }));
    for await (const item of recordsIn<InspectorSessionItem>(list)) {
      matchCount++;
      best.push(item);
    }
    // The sort is stable, so equal sessions stay in the order of the list.
    best = best.sort((a, b) => figureOf(b, sort) - figureOf(a, sort)).slice(0, most);
    warnings += list.warnings.length;
    cursor = list.nextCursor ?? undefined;
    if (cursor !== undefined) continue;
    const nextCursor = matchCount > most ? String(most) : null;
    return { items: best.slice(from), matchCount, nextCursor, counts: list.counts ?? {}, warnings };
  }
}

function figureOf(item: InspectorSessionItem, sort: Exclude<Sort, "newest">): number {
  switch (sort) {
    case "cost":
      return item.cost?.usd ?? -1;
    case "tokens":
      return hasNoCounts(item) ? -1 : item.tokens;
    case "errors":
      return item.errors ?? -1;
    case "duration":
      return secondsOf(item) ?? -1;
    case "turns":
      return item.turns;
    default:
      return sort satisfies never;
  }
}

export function secondsOf({ createdAt, lastActive }: InspectorSessionItem): number | undefined {
  const [from, to] = [plausibleInstant(createdAt), plausibleInstant(lastActive)];
  return from === undefined || to === undefined ? undefined : Math.round((to - from) / 1_000);
}
