import type { SessionKey } from "../../../src/domain/session/session-key.js";
import { formatAddress, parseAddress, type Route, sessionAddress } from "../model/address/address.js";
import { isAcross, resultsAddress, searchQuery } from "../model/search/search.js";
import { currentRoute } from "./address-store.js";
import { keep, storedValue } from "./stored-values.js";

export interface ListPosition {
  /** In pixels. */
  readonly top: number;
  readonly first: SessionKey | undefined;
  readonly selected: SessionKey | undefined;
}

const KEY = "agent-inspector-list";
const START: ListPosition = { top: 0, first: undefined, selected: undefined };

/** Stored per tab, so that it survives a reload. */
let address = "";
let position = START;
load();
addEventListener("pagehide", saveListPosition);

/** The start if another list was displayed last. */
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
 * The last list, in its last state. If the address names a search of all sessions, the list of its results; without a stored list, all
 * sessions.
 */
export function backAddress(route: Route): string {
  const stored = parseAddress(address);
  if (route.view !== "session" || address === "" || stored.view !== "sessions") return resultsAddress(route);
  const { across: _, ...search } = searchQuery(route.query);
  const isSame = JSON.stringify(searchQuery(stored.query)) === JSON.stringify(search);
  return isSame || !isAcross(route.query) ? address : resultsAddress(route);
}

function addressOf(session: SessionKey | undefined): string {
  return session === undefined ? "" : sessionAddress(session);
}

function listAddressOf(route: Route): string | undefined {
  return route.view === "sessions" ? formatAddress(route) : undefined;
}

/** Every page of this origin may write there: ignores invalid content. */
function load(): void {
  const stored = new URLSearchParams(storedValue("tab", KEY));
  const ref = (name: string): SessionKey | undefined => {
    const route = parseAddress(stored.get(name) ?? "");
    return route.view === "session" ? { tenantId: route.tenantId, sessionId: route.sessionId } : undefined;
  };
  const list = stored.get("list");
  const top = Number(stored.get("top"));
  if (list === null || parseAddress(list).view !== "sessions" || !(top >= 0)) return;
  address = list;
  position = { top, first: ref("first"), selected: ref("selected") };
}
