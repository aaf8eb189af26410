import { InvalidRequestError } from "../../application/errors.js";
import { listIn } from "../../domain/json/json.js";
import type { SessionSortKey } from "../../domain/session/session.js";

/** How far a search has come: up to a session, which is the so many-eth since the search began. */
export interface SearchPlace extends SessionSortKey {
  readonly seen: number;
}

export function placeText({ seen, lastActive, tenantId, sessionId }: SearchPlace): string {
  return JSON.stringify([seen, lastActive, tenantId, sessionId]);
}

/** @throws InvalidRequestError for what is no place: it comes from a client */
export function parsePlace(text: string): SearchPlace {
  const [seen, lastActive, tenantId, sessionId] = listIn(text);
  const isPlace =
    Number.isSafeInteger(seen) && [lastActive, tenantId, sessionId].every((part) => typeof part === "string");
  if (!isPlace) throw new InvalidRequestError("cursor", "was not issued for this search.");
  return { seen, lastActive, tenantId, sessionId } as SearchPlace;
}
