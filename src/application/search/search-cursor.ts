import { isJsonObject, jsonIn } from "../../domain/json/json.js";
import { idProblem } from "../../domain/session/ids.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { InvalidRequestError } from "../errors.js";
import { decodeCursor, encodeCursor } from "../listing/window.js";
import { LONGEST_PLACE, type SearchExtent } from "../ports/record-search.js";
import { type RecordPosition, SEARCHED_LISTS } from "../records/record-position.js";

export interface SearchCursor {
  readonly after?: string | undefined;
  readonly within?: SessionCursor | undefined;
  readonly waits?: number | undefined;
}

export interface SessionCursor extends SessionKey {
  readonly place: RecordPosition;
  readonly before: SearchExtent;
  readonly total: SearchExtent;
}

/** @param list text and scope of the search: a cursor continues only the same search */
export function encodeSearchCursor(list: string, place: SearchCursor): string {
  return encodeCursor(list, JSON.stringify(place));
}

/** @throws InvalidRequestError for a cursor that was not issued for that search */
export function decodeSearchCursor(list: string, cursor: string): SearchCursor {
  const place = jsonIn(decodeCursor(list, cursor, /^\{.*\}$/s));
  if (isSearchCursor(place)) return place;
  throw new InvalidRequestError("cursor", "was not issued for this search. Take it from nextCursor.");
}

/** The checksum detects mistakes, not malice: values that go to a source are validated. */
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
