import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import { ApiError } from "../api/api-problem.js";
import type { QueryAt } from "../api/endpoint-address.js";
import { fetchRecords } from "../api/fetch-records.js";
import type { SessionRef } from "../model/address.js";
import { readSession } from "./read-session.js";

/**
 * The entry of the session list for one session: the API has no other place for its title, user and tokens.
 *
 * @returns `undefined` where there is none, or the list cannot be read: a session is shown all the same
 */
export async function findSessionItem(
  base: string,
  { tenantId, sessionId }: SessionRef,
  signal?: AbortSignal,
): Promise<InspectorSessionItem | undefined> {
  const found = await findSessions(base, { tenantId, sessionId }, signal);
  return found.find((one) => one.sessionId === sessionId && one.tenantId === tenantId);
}

/** The sessions that a query names; what cannot be read is left out. */
export async function findSessions(
  base: string,
  query: QueryAt<"/sessions">,
  signal?: AbortSignal,
): Promise<InspectorSessionItem[]> {
  const found: InspectorSessionItem[] = [];
  try {
    await fetchRecords(base, "/sessions", query, (record) => found.push(readSession(record)), { signal });
  } catch (error) {
    if (!(error instanceof ApiError) && signal?.aborted !== true) throw error;
  }
  return found;
}
