import { isJsonObject, jsonIn } from "../../domain/json/json.js";
import { idProblem } from "../../domain/session/ids.js";
import { InvalidRequestError } from "../errors.js";
import { LONGEST_PLACE, type SearchExtent } from "../ports/record-search.js";
import type { SessionKey } from "../ports/session-store.js";
import { decodeCursor, encodeCursor } from "../questions/window.js";

/** The lists of a session that are searched, in this order. */
export const SEARCHED_LISTS = ["trace", "orchestration", "messages"] as const;

/** A place within a session: the next record to be searched. */
export interface RecordPosition {
  readonly list: (typeof SEARCHED_LISTS)[number];
  /** The position of the record in the list, in the order in which it is answered. */
  readonly at: number;
  /** How many of its hits were answered already. */
  readonly skip: number;
}

/** The place of a search where the next answer goes on. */
export interface SearchCursor {
  /** In the source's order: sessions behind it are still to be searched. */
  readonly after?: string | undefined;
  /** A session that is searched in part. */
  readonly within?: SessionCursor | undefined;
  /** How many answers in a row have waited for what a filter asks of sessions. Default is none. */
  readonly waits?: number | undefined;
}

export interface SessionCursor extends SessionKey {
  readonly place: RecordPosition;
  /** What the source said when it named the session. */
  readonly before: SearchExtent;
  readonly total: SearchExtent;
}

/** @param list what is searched for, and where: a cursor goes on with the same search only */
export function encodeSearchCursor(list: string, place: SearchCursor): string {
  return encodeCursor(list, JSON.stringify(place));
}

/** @throws InvalidRequestError for a cursor that was not issued for that search */
export function decodeSearchCursor(list: string, cursor: string): SearchCursor {
  const place = jsonIn(decodeCursor(list, cursor, /^\{.*\}$/s));
  if (isSearchCursor(place)) return place;
  throw new InvalidRequestError("cursor", "was not issued for this search. Take it from nextCursor.");
}

/** The checksum finds mistakes, not malice: what a source is asked with comes checked. */
function isSearchCursor(value: unknown): value is SearchCursor {
  if (!isJsonObject(value)) return false;
  const { after, within, waits = 0 } = value;
  if (!Number.isSafeInteger(waits) || Number(waits) < 0) return false;
  const isAfter = after === undefined || (typeof after === "string" && after.length <= LONGEST_PLACE);
  if (!isAfter || within === undefined) return isAfter;
  if (!isJsonObject(within) || !isJsonObject(within.place)) return false;
  const { list, at, skip } = within.place;
  return (
    [within.tenantId, within.sessionId].every(
      (id) => typeof id === "string" && idProblem(id) === undefined,
    ) &&
    SEARCHED_LISTS.some((name) => name === list) &&
    [at, skip].every((count) => Number.isSafeInteger(count) && (count as number) >= 0) &&
    [within.before, within.total].every(isExtent)
  );
}

function isExtent(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    [value.sessions, value.bytes].every((count) => count === undefined || typeof count === "number")
  );
}
