import { isUnfinished, type StateMembers } from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";

/**
 * Addresses of views are completely after the `#`: they work under any mount path, without support of the server. Its log never contains
 * the open session.
 */
export type SessionTab = "trace" | "agents" | "messages" | "context" | "summary";

export const SESSION_TABS: readonly SessionTab[] = ["trace", "agents", "messages", "context", "summary"];

export type AddressQuery = { readonly [name: string]: string };

export type Route =
  | { readonly view: "sessions"; readonly query: AddressQuery }
  | { readonly view: "sources"; readonly query: AddressQuery }
  | { readonly view: "overview"; readonly query: AddressQuery }
  | { readonly view: "why"; readonly query: AddressQuery }
  | ({
      readonly view: "session";
      /** `undefined` for the first tab: `firstTab` needs the session's state. */
      readonly tab: SessionTab | undefined;
      readonly query: AddressQuery;
    } & SessionKey)
  | ({
      readonly view: "compare";
      /** At most nine; none until the first is chosen. */
      readonly others: readonly SessionKey[];
      readonly query: AddressQuery;
    } & SessionKey)
  | { readonly view: "unknown"; readonly address: string };

export type OpenedRoute = Extract<Route, { view: "session" }>;

export type SessionRoute = OpenedRoute & { readonly tab: SessionTab };

export type CompareRoute = Extract<Route, { view: "compare" }>;

const SOURCES = "sources";

export const SOURCES_ADDRESS = `#/${SOURCES}`;

const OVERVIEW = "overview";

export const OVERVIEW_ADDRESS = `#/${OVERVIEW}`;

const WHY = "why";

/** Query: `file` with `line`, `toLine` or `text`; without a file, the view requests one. */
export function whyAddress(query: AddressQuery): string {
  return formatAddress({ view: "why", query });
}

/** @example parseAddress("#/s/default/s1/trace?errors=1") */
export function parseAddress(hash: string): Route {
  const text = hash.startsWith("#") ? hash.slice(1) : hash;
  const mark = text.indexOf("?");
  const path = mark === -1 ? text : text.slice(0, mark);
  const query = parseQuery(mark === -1 ? "" : text.slice(mark + 1));
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.length === 0) return { view: "sessions", query };
  if (parts.length === 1 && parts[0] === SOURCES) return { view: "sources", query };
  if (parts.length === 1 && parts[0] === OVERVIEW) return { view: "overview", query };
  if (parts.length === 1 && parts[0] === WHY) return { view: "why", query };
  // A query without a view belongs to the trace.
  const [head, tenant, session, tab = Object.keys(query).length > 0 ? "trace" : undefined] = parts;
  const tenantId = decodePart(tenant);
  const sessionId = decodePart(session);
  if (head === "compare" && tenantId && sessionId) {
    const others = refsIn(parts.slice(3).map(decodePart));
    if (others !== undefined) return { view: "compare", tenantId, sessionId, others, query };
  }
  if (head !== "s" || parts.length > 4 || !tenantId || !sessionId || !(tab === undefined || isTab(tab))) {
    return { view: "unknown", address: hash };
  }
  return { view: "session", tenantId, sessionId, tab, query };
}

export function formatAddress(route: Exclude<Route, { view: "unknown" }>): string {
  return `#/${pathOf(route)}${formatQuery(route.query)}`;
}

function pathOf(route: Exclude<Route, { view: "unknown" }>): string {
  if (route.view === "sessions") return "";
  if (route.view === "sources") return SOURCES;
  if (route.view === "overview") return OVERVIEW;
  if (route.view === "why") return WHY;
  if (route.view === "session") return `s/${refPath(route)}${route.tab === undefined ? "" : `/${route.tab}`}`;
  return ["compare", refPath(route), ...route.others.map(refPath)].join("/");
}

export const MOST_OTHERS = 9;

/** @returns `undefined` for no sessions, or too many */
function refsIn(parts: readonly (string | undefined)[]): readonly SessionKey[] | undefined {
  const refs: SessionKey[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const [tenantId, sessionId] = [parts[i], parts[i + 1]];
    if (!tenantId || !sessionId) return undefined;
    refs.push({ tenantId, sessionId });
  }
  return refs.length > MOST_OTHERS ? undefined : refs;
}

function refPath({ tenantId, sessionId }: SessionKey): string {
  return `${encodeURIComponent(tenantId)}/${encodeURIComponent(sessionId)}`;
}

/**
 * @param other `undefined` for the choice of a session
 * @param more further sessions of a group
 */
export function compareAddress(
  { tenantId, sessionId }: SessionKey,
  other: SessionKey | undefined,
  ...more: readonly SessionKey[]
): string {
  const others = other === undefined ? [] : [other, ...more];
  return formatAddress({ view: "compare", tenantId, sessionId, others, query: {} });
}

/** @param tab the first tab if absent */
export function sessionAddress(session: SessionKey, tab?: SessionTab, query: AddressQuery = {}): string {
  return formatAddress({
    view: "session",
    tenantId: session.tenantId,
    sessionId: session.sessionId,
    tab,
    query,
  });
}

/** Unfinished sessions open with the trace, others with the summary. */
export function firstTab(item: StateMembers | undefined): SessionTab {
  return item === undefined || isUnfinished(item) ? "trace" : "summary";
}

/** The summary loads sooner without the trace. */
export function maySummarize(tab: SessionTab | undefined): boolean {
  return tab === undefined || tab === "summary";
}

/** `""` is the main agent. */
export function speakerOf({ agent = "" }: AddressQuery): string {
  return agent === MAIN_AGENT ? "" : agent;
}

export const MAIN_AGENT = "main";

/** An empty or undefined value removes its entry. */
export function changeQuery(
  query: AddressQuery,
  changes: { readonly [name: string]: string | undefined },
): AddressQuery {
  const entries = Object.entries({ ...query, ...changes });
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
}

function isTab(text: string): text is SessionTab {
  return (SESSION_TABS as readonly string[]).includes(text);
}

function parseQuery(text: string): AddressQuery {
  return Object.fromEntries(new URLSearchParams(text));
}

function formatQuery(query: AddressQuery): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return text === "" ? "" : `?${text}`;
}

/** `undefined` for invalid percent-encoding. */
function decodePart(part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
