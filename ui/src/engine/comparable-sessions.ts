import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import type { SessionRef } from "../model/address.js";
import { type ComparableSession, mostSimilarFirst } from "../model/similar-sessions.js";
import { findSessionItem, findSessions } from "./find-sessions.js";

/** Maximum number of examined sessions, of the same tenant and of all. */
const LOOKED_AT = 200;
/** Maximum number of sessions to choose from. */
const SHOWN = 50;

export interface ComparableSessions {
  readonly item: InspectorSessionItem | undefined;
  readonly sessions: readonly ComparableSession[];
}

/**
 * The sessions that one may be compared with: those most like it first, then the newest.
 *
 * @param q a text in the title, id or user of each; `""` for any
 */
export async function comparableSessions(
  base: string,
  one: SessionRef,
  q: string,
): Promise<ComparableSessions> {
  const query = { q: q || undefined, limit: LOOKED_AT };
  const [item, ofTenant, newest] = await Promise.all([
    findSessionItem(base, one),
    findSessions(base, { ...query, tenantId: one.tenantId }),
    findSessions(base, query),
  ]);
  const sessions = mostSimilarFirst(item ?? one, [...ofTenant, ...newest]);
  return { item, sessions: sessions.slice(0, SHOWN) };
}
