import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { type ComparableSession, mostSimilarFirst } from "../../model/compare/similar-sessions.js";
import { findSessionItem, findSessions } from "../sessions/find-sessions.js";

const LOOKED_AT = 200;
const VISIBLE = 50;

export interface ComparableSessions {
  readonly item: InspectorSessionItem | undefined;
  readonly sessions: readonly ComparableSession[];
}

/**
 * Most similar sessions first, then the newest.
 * @param q text in title, id or user; `""` for any
 */
export async function comparableSessions(
  base: string,
  one: SessionKey,
  q: string,
): Promise<ComparableSessions> {
  const query = { q: q || undefined, limit: LOOKED_AT };
  const [item, ofTenant, newest] = await Promise.all([
    findSessionItem(base, one),
    findSessions(base, { ...query, tenantId: one.tenantId }),
    findSessions(base, query),
  ]);
  const sessions = mostSimilarFirst(item ?? one, [...ofTenant, ...newest]);
  return { item, sessions: sessions.slice(0, VISIBLE) };
}
