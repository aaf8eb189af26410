import {
  formatAddress,
  parseAddress,
  type Route,
  type SessionRef,
  sessionAddress,
} from "../model/address.js";
import { isAcross, resultsAddress, searchQuery } from "../model/search.js";
import { currentRoute } from "./address-store.js";
import { keep, kept } from "./kept.js";

/** Where a reader of the session list was. */
export interface ListPosition {
  /** How far the list was scrolled, in pixels. */
  readonly top: number;
  /** The session on top of what was seen; the first ones may have become more since. */
  readonly first: SessionRef | undefined;
  readonly selected: SessionRef | undefined;
}

const KEY = "agent-inspector-list";
const START: ListPosition = { top: 0, first: undefined, selected: undefined };

/** Of the list that was shown last. It is kept with the tab, so that it is there after the page was loaded again. */
let address = "";
let position = START;
load();
addEventListener("pagehide", saveListPosition);

/** The position in the list that the address names; its beginning where another was shown last. */
export function listPosition(): ListPosition {
  return address === listAddressOf(currentRoute()) ? position : START;
}

export function rememberListPosition(changes: Partial<ListPosition>): void {
  const now = listAddressOf(currentRoute());
  if (now === undefined) return;
  position = { ...listPosition(), ...changes };
  address = now;
}

export function saveListPosition(): void {
  if (address === "") return;
  const { top, first, selected } = position;
  const entries = { list: address, top: String(top), first: addressOf(first), selected: addressOf(selected) };
  keep("tab", KEY, new URLSearchParams(entries).toString());
}

/**
 * The list that a session was opened from, as it was. Where the address names a search of all sessions, and another list was shown
 * last, its results; where nothing is known, all sessions.
 */
export function backAddress(route: Route): string {
  const known = parseAddress(address);
  if (route.view !== "session" || address === "" || known.view !== "sessions") return resultsAddress(route);
  const { across: _, ...search } = searchQuery(route.query);
  const isSame = JSON.stringify(searchQuery(known.query)) === JSON.stringify(search);
  return isSame || !isAcross(route.query) ? address : resultsAddress(route);
}

function addressOf(session: SessionRef | undefined): string {
  return session === undefined ? "" : sessionAddress(session);
}

function listAddressOf(route: Route): string | undefined {
  return route.view === "sessions" ? formatAddress(route) : undefined;
}

/** Every page of this origin may write there, so whatever is not understood is ignored. */
function load(): void {
  const known = new URLSearchParams(kept("tab", KEY));
  const ref = (name: string): SessionRef | undefined => {
    const route = parseAddress(known.get(name) ?? "");
    return route.view === "session" ? { tenantId: route.tenantId, sessionId: route.sessionId } : undefined;
  };
  const list = known.get("list");
  const top = Number(known.get("top"));
  if (list === null || parseAddress(list).view !== "sessions" || !(top >= 0)) return;
  address = list;
  position = { top, first: ref("first"), selected: ref("selected") };
}
