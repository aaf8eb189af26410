import { compareSessions, type SessionPlace } from "../../domain/session/session.js";
import { InvalidRequestError } from "../errors.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { RecordSearchPage } from "../ports/record-search.js";
import { PLACE_TEXT, placeOfText, placeText } from "../questions/session-place.js";
import { findSessions } from "./select-sessions.js";

/**
 * `searchRecords` for a source that has none: every session is a candidate, in the order of the list, which is loaded once.
 */
export function listCandidates(
  source: InspectorDataSource,
): NonNullable<InspectorDataSource["searchRecords"]> {
  let loading: ReturnType<typeof findSessions> | undefined;
  return async ({ tenantId, tenants, sessionId, after, limit }, options) => {
    if (sessionId !== undefined) return onlyOf(tenantId ?? "", sessionId, after);
    loading ??= findSessions(source, { tenantId, tenants }, options ?? {});
    const { items: sessions } = await loading;
    const from = after === undefined ? 0 : countUpTo(sessions, after);
    const candidates = sessions.slice(from, from + limit).map((session, i) => ({
      tenantId: session.tenantId,
      sessionId: session.sessionId,
      place: placeText(session),
      before: { sessions: from + i },
    }));
    const end = from + candidates.length;
    return {
      candidates,
      next: end < sessions.length ? candidates.at(-1)?.place : undefined,
      searched: { sessions: end },
      total: { sessions: sessions.length },
    };
  };
}

function countUpTo(sessions: readonly SessionPlace[], after: string): number {
  // Only a cursor that was made up holds another text.
  if (!PLACE_TEXT.test(after)) throw new InvalidRequestError("cursor", "was not issued for this search.");
  const place = placeOfText(after);
  const behind = sessions.findIndex((session) => compareSessions(session, place) > 0);
  return behind === -1 ? sessions.length : behind;
}

/** One session is looked at without the list. */
function onlyOf(tenantId: string, sessionId: string, after: string | undefined): RecordSearchPage {
  const place = placeText({ lastActive: "", tenantId, sessionId });
  const candidate = { tenantId, sessionId, place, before: { sessions: 0 } };
  const one = { sessions: 1 };
  return { candidates: after === place ? [] : [candidate], next: undefined, searched: one, total: one };
}
