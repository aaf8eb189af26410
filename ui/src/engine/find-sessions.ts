import type { InspectorSessionItem } from "../../../src/domain/session.js";
import { ApiError } from "../api/api-problem.js";
import { sessionsAddress } from "../api/endpoints.js";
import { fetchRecords } from "../api/fetch-records.js";
import type { SessionRef } from "../model/address.js";

/** How many sessions are looked through for one whose id others may contain. */
const SAME_ID = 100;

/**
 * The entry of the session list for one session: the API has no other place for its title, user and tokens.
 *
 * @returns `undefined` where there is none, or the list cannot be read: a session is shown all the same
 */
export async function findSessionItem(
  base: string,
  { tenantId, sessionId }: SessionRef,
  signal: AbortSignal,
): Promise<InspectorSessionItem | undefined> {
  const found = await findSessions(base, { tenantId, q: sessionId }, SAME_ID, signal);
  return found.find((item) => item.sessionId === sessionId && item.tenantId === tenantId);
}

/** The first sessions whose title, id or user has a text; what cannot be read is left out. */
export async function findSessions(
  base: string,
  { tenantId, q }: { readonly tenantId: string; readonly q: string },
  limit: number,
  signal: AbortSignal,
): Promise<InspectorSessionItem[]> {
  const found: InspectorSessionItem[] = [];
  const address = sessionsAddress(base, { tenantId, userId: "", status: "", q, source: "" }, limit);
  try {
    await fetchRecords(address, "sessions", (record) => found.push(JSON.parse(record)), { signal });
  } catch (error) {
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
  }
  return found;
}
