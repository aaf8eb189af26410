import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import {
  CONTENT_KINDS,
  type ContentKind,
  DEFAULT_KINDS,
  parseSearchQuery,
} from "../../../src/domain/search/search-query.js";
import { textPattern } from "../../../src/domain/search/text-matches.js";
import { type AddressQuery, changeQuery, formatAddress, type Route, sessionAddress } from "./address.js";

/** A route that an address can be made of. */
export type KnownRoute = Exclude<Route, { view: "unknown" }>;

/** Text and scope of a search. An empty tenant or session covers all of them. */
export interface PageSearch {
  /** As a person typed it. */
  readonly q: string;
  /** Empty for `DEFAULT_KINDS`. */
  readonly kinds: readonly ContentKind[];
  readonly tenantId: string;
  readonly sessionId: string;
  /** Filter of the searched sessions; absent for all. */
  readonly filter?: string;
}

/** The search that an address names; `undefined` where it names none. */
export function searchRequest(route: Route): PageSearch | undefined {
  if (!("query" in route) || route.view === "compare" || !route.query.q) return undefined;
  if (route.view === "sources" || route.view === "overview" || route.view === "why") return undefined;
  const { q, filter } = route.query;
  const kinds = readKinds(route.query);
  if (route.view === "sessions") return { q, kinds, tenantId: "", sessionId: "", ...(filter && { filter }) };
  return { q, kinds, tenantId: route.tenantId, sessionId: route.sessionId };
}

/** True if a session was opened from the results of a search of all sessions. */
export function isAcross(query: AddressQuery): boolean {
  return query.across === "1";
}

function readKinds({ in: names = "" }: AddressQuery): ContentKind[] {
  const listed = names.split(",");
  return CONTENT_KINDS.filter((kind) => listed.includes(kind));
}

/** The entry of an address with one kind more, or less. */
export function toggleKind(kinds: readonly ContentKind[], kind: ContentKind): string {
  return (kinds.includes(kind) ? kinds.filter((known) => known !== kind) : [...kinds, kind]).join(",");
}

/** The entry of an address that searches other records, too; `undefined` where they are searched already. */
export function withOther(kinds: readonly ContentKind[]): string | undefined {
  if (kinds.includes("other")) return undefined;
  return [...(kinds.length === 0 ? DEFAULT_KINDS : kinds), "other"].join(",");
}

/** The entries of a query that name the search: what the other tabs of a session keep. */
export function searchQuery({ q, in: kinds, across, filter }: AddressQuery): AddressQuery {
  return q === undefined ? {} : changeQuery({}, { q, in: kinds, across, filter });
}

/** Returns the address of the results that a session was opened from; otherwise that of the complete list. */
export function resultsAddress(route: Route): string {
  const { across, ...search } =
    route.view === "unknown" || !isAcross(route.query) ? {} : searchQuery(route.query);
  return formatAddress({ view: "sessions", query: search as AddressQuery });
}

/** Names a hit within its session. */
export function hitKey({ sequence, messageIndex, in: kind }: SearchHit): string {
  return `${sequence ?? `m${messageIndex}`}.${kind}`;
}

/** The envelope that a hit in an address names; `undefined` where that is a message. */
export function hitSequence(key: string | undefined): number | undefined {
  return /^\d+(?=\.)/.test(key ?? "") ? Number.parseInt(key!, 10) : undefined;
}

/** Returns the kind of content of a hit in an address. */
export function hitKind(key: string | undefined): ContentKind | undefined {
  return CONTENT_KINDS.find((kind) => key?.endsWith(`.${kind}`));
}

/**
 * Returns the address of a hit: its event, or its message if it has no event or the reader is reading messages.
 *
 * @param from where the hit is opened
 */
export function hitAddress(hit: SearchHit, from: KnownRoute): string {
  const across = from.view === "sessions" || isAcross(from.query);
  const search = { ...searchQuery(from.query), across: across ? "1" : "", hit: hitKey(hit) };
  const isMessage =
    hit.messageIndex !== undefined &&
    (hit.sequence === undefined || (from.view === "session" && from.tab === "messages"));
  if (isMessage) return sessionAddress(hit, "messages", { ...search, at: String(hit.messageIndex) });
  // Filters of a trace stay while its own hits are gone through; the trace lifts those that would hide one.
  const isSame =
    from.view === "session" && from.tenantId === hit.tenantId && from.sessionId === hit.sessionId;
  const kept = isSame && from.tab === "trace" ? changeQuery(from.query, { event: "" }) : {};
  return sessionAddress(hit, "trace", { ...kept, ...search });
}

/** Finds what a text search finds in a text that is on the screen. Patterns are RE2's, and not tried here. */
export function matchPattern(q: string): RegExp | undefined {
  const query = parseSearchQuery(q);
  if (query === undefined || query.kind === "pattern") return undefined;
  return textPattern(query);
}
