/** Names a session within a source. */
export interface SessionKey {
  readonly tenantId: string;
  readonly sessionId: string;
}

/**
 * The key of a session, and of `more` parts of it, as one text. Two different keys never have the same text, for ids of any characters.
 * @param more JSON values
 */
export function keyText({ tenantId, sessionId }: SessionKey, ...more: readonly unknown[]): string {
  return JSON.stringify([tenantId, sessionId, ...more]);
}

export function isSameSession(a: SessionKey | undefined, b: SessionKey | undefined): boolean {
  return a?.sessionId === b?.sessionId && a?.tenantId === b?.tenantId;
}
