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

/** Position of a reader in the session list. */
export interface ListPosition {
  /** Scroll position of the list in pixels. */
  readonly top: number;
  /** The topmost visible session; more sessions may precede it since. */
  readonly first: SessionRef | undefined;
  readonly selected: SessionRef | undefined;
}

const KEY = "agent-inspector-list";
const START: ListPosition = { top: 0, first: undefined, selected: undefined };

/** Address of the latest displayed list. It is stored per tab, so that it survives a reload of the page. */
let address = "";
let position = START;
load();
addEventListener("pagehide", saveListPosition);

/** Returns the position in the list of the address; the start if another list was displayed last. */
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
 * Returns the address of the list that a session was opened from, in its last state. If the address names a search of all sessions, and
 * another list was displayed last, it is that of the search results. Without a stored list, it is that of all sessions.
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
