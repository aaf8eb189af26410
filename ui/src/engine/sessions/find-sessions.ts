import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { isSameSession, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { ApiError } from "../../api/api-problem.js";
import type { QueryAt } from "../../api/endpoint-address.js";
import { fetchRecords } from "../../api/fetch-records.js";
import { readSession } from "./read-session.js";

/**
 * Only the list has a session's title, user and tokens.
 * @returns `undefined` if the list has no such entry or cannot be read: the session is displayed anyway
 */
export async function findSessionItem(
  base: string,
  { tenantId, sessionId }: SessionKey,
  signal?: AbortSignal,
): Promise<InspectorSessionItem | undefined> {
  const sessions = await findSessions(base, { tenantId, sessionId }, signal);
  return sessions.find((one) => isSameSession(one, { tenantId, sessionId }));
}

/** Skips sessions that cannot be read. */
export async function findSessions(
  base: string,
  query: QueryAt<"/sessions">,
  signal?: AbortSignal,
): Promise<InspectorSessionItem[]> {
  const sessions: InspectorSessionItem[] = [];
  try {
    await fetchRecords(base, "/sessions", query, (record) => sessions.push(readSession(record)), { signal });
  } catch (error) {
    if (!(error instanceof ApiError) && signal?.aborted !== true) throw error;
  }
  return sessions;
}
