import type { SessionKey } from "../../domain/session/session-key.js";
import { fromBase64Url, toBase64Url } from "../../domain/text/base64url.js";
import { fingerprint } from "../../domain/text/fingerprints.js";
import { InvalidRequestError } from "../errors.js";
import type { TenantScope } from "../sources/scope.js";

/** Without a limit it extends to the end; without a cursor it begins at the start. */
export interface Window {
  /** From 1 to {@link MAX_LIMIT}. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /**
   * Start of a session's list, instead of a cursor: the first envelope with at least this `sequence`, or the message at this index. An
   * integer from 0 up.
   */
  readonly from?: number | undefined;
  /** The `syncToken` of an earlier answer, to get only later records; `""` to get the complete list with a token. Excludes the others. */
  readonly since?: string | undefined;
}

export interface SessionRequest extends SessionKey {
  readonly window?: Window | undefined;
  /** Whose sessions the caller may see: one of another tenant is not found. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

export const MAX_LIMIT = 1_000;

/**
 * The text carries a checksum over its list, to detect a cursor of another list.
 * @param list the list that the cursor belongs to
 * @param place start of the window, in the form that the list's use case reads
 */
export function encodeCursor(list: string, place: string): string {
  return toBase64Url(`${fingerprint(`${list}\0${place}`)}${place}`);
}

/**
 * @param form the form of every place of the list: the checksum finds mistakes, not malice
 * @throws InvalidRequestError for a cursor that was not issued for that list
 */
export function decodeCursor(list: string, cursor: string, form: RegExp): string {
  const place = placeIn(list, cursor, form);
  if (place !== undefined) return place;
  throw new InvalidRequestError(
    "cursor",
    "was not issued for this list. Take it from nextCursor, or leave it out.",
  );
}

export function placeIn(list: string, cursor: string, form: RegExp): string | undefined {
  const place = fromBase64Url(cursor)?.slice(8);
  if (place === undefined) return undefined;
  return encodeCursor(list, place) === cursor && form.test(place) ? place : undefined;
}
