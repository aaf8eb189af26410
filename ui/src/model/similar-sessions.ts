import { compareSessions, type InspectorSessionItem } from "../../../src/domain/session/session.js";
import type { SessionRef } from "./address.js";

/** What two sessions may have in common. */
type Likeness = "prompt" | "project";

export interface ComparableSession {
  readonly session: InspectorSessionItem;
  /** In what it is like the one that it is compared with. */
  readonly alike: readonly Likeness[];
}

type Known = SessionRef & Partial<Pick<InspectorSessionItem, "directory" | "prompt" | "title">>;

/**
 * Sessions to compare one with: those that were asked the same first, then those of the same folder, or of the same tenant where no
 * folder is known; of these the newest first. The one itself, and what is in the list twice, is left out.
 */
export function mostSimilarFirst(
  one: Known,
  sessions: readonly InspectorSessionItem[],
): readonly ComparableSession[] {
  const known = new Map(sessions.map((session) => [keyOf(session), session]));
  known.delete(keyOf(one));
  const weight = ({ alike }: ComparableSession) =>
    (alike.includes("prompt") ? 2 : 0) + (alike.includes("project") ? 1 : 0);
  return [...known.values()]
    .map((session) => ({ session, alike: likenesses(one, session) }))
    .sort((a, b) => weight(b) - weight(a) || compareSessions(a.session, b.session));
}

function likenesses(one: Known, other: InspectorSessionItem): Likeness[] {
  const asked = askedFirst(one);
  const isSameProject =
    one.directory === undefined ? one.tenantId === other.tenantId : one.directory === other.directory;
  return [
    ...(asked !== "" && asked === askedFirst(other) ? (["prompt"] as const) : []),
    ...(isSameProject ? (["project"] as const) : []),
  ];
}

/** A title says the prompt where the prompt itself is absent. */
function askedFirst({ prompt, title }: Known): string {
  return (prompt ?? title ?? "").trim();
}

function keyOf({ tenantId, sessionId }: SessionRef): string {
  return JSON.stringify([tenantId, sessionId]);
}
