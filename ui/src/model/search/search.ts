import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import {
  CONTENT_KINDS,
  type ContentKind,
  DEFAULT_KINDS,
  parseSearchQuery,
} from "../../../../src/domain/search/search-query.js";
import { textPattern } from "../../../../src/domain/search/text-matches.js";
import { isSameSession } from "../../../../src/domain/session/session-key.js";
import {
  type AddressQuery,
  changeQuery,
  formatAddress,
  type Route,
  sessionAddress,
} from "../address/address.js";

export type ValidRoute = Exclude<Route, { view: "unknown" }>;

/** An empty tenant or session covers all. */
export interface PageSearch {
  readonly q: string;
  /** Empty for `DEFAULT_KINDS`. */
  readonly kinds: readonly ContentKind[];
  readonly tenantId: string;
  readonly sessionId: string;
  readonly filter?: string;
}

/** `undefined` without a search. */
export function searchRequest(route: Route): PageSearch | undefined {
  if (!("query" in route) || route.view === "compare" || !route.query.q) return undefined;
  if (route.view === "sources" || route.view === "overview" || route.view === "why") return undefined;
  const { q, filter } = route.query;
  const kinds = readKinds(route.query);
  if (route.view === "sessions") return { q, kinds, tenantId: "", sessionId: "", ...(filter && { filter }) };
  return { q, kinds, tenantId: route.tenantId, sessionId: route.sessionId };
}

export function isAcross(query: AddressQuery): boolean {
  return query.across === "1";
}

function readKinds({ in: names = "" }: AddressQuery): ContentKind[] {
  const listed = names.split(",");
  return CONTENT_KINDS.filter((kind) => listed.includes(kind));
}

export function toggleKind(kinds: readonly ContentKind[], kind: ContentKind): string {
  return (kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind]).join(",");
}

/** `undefined` if other records are already searched. */
export function withOther(kinds: readonly ContentKind[]): string | undefined {
  if (kinds.includes("other")) return undefined;
  return [...(kinds.length === 0 ? DEFAULT_KINDS : kinds), "other"].join(",");
}

/** The part that other tabs of a session retain. */
export function searchQuery({ q, in: kinds, across, filter }: AddressQuery): AddressQuery {
  return q === undefined ? {} : changeQuery({}, { q, in: kinds, across, filter });
}

/** Results of the search that a session was opened from, else the complete list. */
export function resultsAddress(route: Route): string {
  const { across, ...search } =
    route.view === "unknown" || !isAcross(route.query) ? {} : searchQuery(route.query);
  return formatAddress({ view: "sessions", query: search as AddressQuery });
}

export function hitKey({ sequence, messageIndex, in: kind }: SearchHit): string {
  return `${sequence ?? `m${messageIndex}`}.${kind}`;
}

/** `undefined` for a message. */
export function hitSequence(key: string | undefined): number | undefined {
  return /^\d+(?=\.)/.test(key ?? "") ? Number.parseInt(key!, 10) : undefined;
}

export function hitKind(key: string | undefined): ContentKind | undefined {
  return CONTENT_KINDS.find((kind) => key?.endsWith(`.${kind}`));
}

/**
 * The hit's event, or its message without an event, or for a reader of messages.
 * @param from where the hit is opened
 */
export function hitAddress(hit: SearchHit, from: ValidRoute): string {
  const across = from.view === "sessions" || isAcross(from.query);
  const search = { ...searchQuery(from.query), across: across ? "1" : "", hit: hitKey(hit) };
  const isMessage =
    hit.messageIndex !== undefined &&
    (hit.sequence === undefined || (from.view === "session" && from.tab === "messages"));
  if (isMessage) return sessionAddress(hit, "messages", { ...search, at: String(hit.messageIndex) });
  // Filters of a trace stay for its own hits; the trace lifts those that would hide one.
  const isSame = from.view === "session" && isSameSession(from, hit);
  const query = isSame && from.tab === "trace" ? changeQuery(from.query, { event: "" }) : {};
  return sessionAddress(hit, "trace", { ...query, ...search });
}

/** Finds matches in text on the screen. Excludes patterns, which are RE2's. */
export function matchPattern(q: string): RegExp | undefined {
  const query = parseSearchQuery(q);
  if (query === undefined || query.kind === "pattern") return undefined;
  return textPattern(query);
}
