import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import { ApiError } from "../api/api-problem.js";
import { sessionAddress, sessionsAddress } from "../api/endpoints.js";
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
  session: SessionRef,
  signal: AbortSignal,
): Promise<InspectorSessionItem | undefined> {
  const found = await readSessions(sessionAddress(base, session), signal);
  return found.find(
    ({ sessionId, tenantId }) => sessionId === session.sessionId && tenantId === session.tenantId,
  );
}

/** The first sessions whose title, id or user has a text; what cannot be read is left out. */
export function findSessions(
  base: string,
  { tenantId, q }: { readonly tenantId: string; readonly q: string },
  limit: number,
  signal: AbortSignal,
): Promise<InspectorSessionItem[]> {
  const query = { tenantId, userId: "", status: "", q, source: "" };
  return readSessions(sessionsAddress(base, query, limit), signal);
}

async function readSessions(address: string, signal: AbortSignal): Promise<InspectorSessionItem[]> {
  const found: InspectorSessionItem[] = [];
  try {
    await fetchRecords(address, "sessions", (record) => found.push(readSession(record)), { signal });
  } catch (error) {
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
  }
  return found;
}
