import { fromBase64Url, toBase64Url } from "../../domain/text/base64url.js";
import { fingerprint } from "../../domain/text/fingerprints.js";
import { InvalidRequestError } from "../errors.js";
import type { SessionKey } from "../ports/session-store.js";
import type { TenantScope } from "../sources/scope.js";

/** The part of a list that is asked for. Without a limit it goes to the end; without a cursor it begins at the start. */
export interface Window {
  /** From 1 to {@link MAX_LIMIT}. */
  readonly limit?: number | undefined;
  /** What an earlier answer gave as `nextCursor`. */
  readonly cursor?: string | undefined;
  /**
   * Where a list of a session begins, in the place of a cursor: of a trace at the first envelope with at least that `sequence`, of messages
   * at that index. An integer from 0 up.
   */
  readonly from?: number | undefined;
  /** What an earlier answer gave as `syncToken`, for what came after it; `""` for all of the list, with a token. Never with the others. */
  readonly since?: string | undefined;
}

/** A request for one list of one session. */
export interface SessionRequest extends SessionKey {
  readonly window?: Window | undefined;
  /** Whose sessions the caller may see: one of another tenant is not found. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

export const MAX_LIMIT = 1_000;

/**
 * Where a window begins, as text for the client to hand back. It carries a checksum over the list that it belongs to: a
 * cursor of another list, or one that was never issued, is recognised.
 *
 * @param list what the cursor belongs to
 * @param place where the window begins, as the list's use case reads it
 */
export function encodeCursor(list: string, place: string): string {
  return toBase64Url(`${fingerprint(`${list}\0${place}`)}${place}`);
}

/** What a cursor of a session's list belongs to. Ids may hold spaces, but no NUL. */
export function listName(kind: string, tenantId: string, sessionId: string): string {
  return `${kind}\0${tenantId}\0${sessionId}`;
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

/** The place that a cursor names; `undefined` where it was not issued for the list, or has not the form of its places. */
export function placeIn(list: string, cursor: string, form: RegExp): string | undefined {
  const place = fromBase64Url(cursor)?.slice(8);
  if (place === undefined) return undefined;
  return encodeCursor(list, place) === cursor && form.test(place) ? place : undefined;
}
