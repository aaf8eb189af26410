import type { SessionKey } from "../../domain/session/session-key.js";
import { SessionNotFoundError } from "../errors.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionSource } from "../ports/session-source.js";

import { scope, type TenantScope } from "../sources/scope.js";

/**
 * Returns the requested session, if it is in the caller's scope.
 *
 * @throws SessionNotFoundError if the scope has no such session
 */
export async function openSession(
  source: SessionSource,
  { tenantId, sessionId, tenants = "all" }: SessionKey & { readonly tenants?: TenantScope | undefined },
  options: ReadOptions = {},
): Promise<SessionSnapshot> {
  const snapshot = await scope(source, tenants).openSession(tenantId, sessionId, options);
  if (snapshot === undefined) throw new SessionNotFoundError(tenantId, sessionId);
  return snapshot;
}
