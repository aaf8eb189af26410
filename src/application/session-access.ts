import { SessionNotFoundError } from "./errors.js";
import type { ListOptions, UnchangedList } from "./json-list.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import type { Window } from "./window.js";

/** A request for one list of one session. */
export interface SessionRequest {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly window?: Window | undefined;
}

/**
 * What comes before every list of a session: is there such a session, and does the client have the list already?
 *
 * @throws SessionNotFoundError where the source can tell
 */
export async function openSession(
  source: InspectorDataSource,
  { tenantId, sessionId }: SessionRequest,
  options: ListOptions,
): Promise<UnchangedList | { readonly isUnchanged: false; readonly revision: string | undefined }> {
  const [exists, revision] = await Promise.all([
    source.hasSession?.(tenantId, sessionId, options),
    source.revision?.(tenantId, sessionId, options),
  ]);
  if (exists === false) throw new SessionNotFoundError(tenantId, sessionId);
  if (revision !== undefined && options.has?.(revision)) return { isUnchanged: true, revision };
  return { isUnchanged: false, revision };
}
