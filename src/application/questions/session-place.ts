import type { SessionPlace } from "../../domain/session/session.js";

/** A JSON string, as strictly as `JSON.parse` takes it. */
const TEXT = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;

/** The form of every place text. */
export const PLACE_TEXT = new RegExp(`^\\[${TEXT},${TEXT},${TEXT}\\]$`);

/** A list is paged by place, not by number: sessions that become active meanwhile move none of the others. */
export function placeText({ lastActive, tenantId, sessionId }: SessionPlace): string {
  return JSON.stringify([lastActive, tenantId, sessionId]);
}

/** @param text of the form of {@link PLACE_TEXT} */
export function placeOfText(text: string): SessionPlace {
  const [lastActive, tenantId, sessionId] = JSON.parse(text) as [string, string, string];
  return { lastActive, tenantId, sessionId };
}
