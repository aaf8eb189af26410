import { useSyncExternalStore } from "react";
import { type AddressQuery, formatAddress, parseAddress, type Route } from "../model/address.js";

let hash = location.hash;
let route = parseAddress(hash);
const listeners = new Set<() => void>();

function update(): void {
  if (location.hash === hash) return;
  hash = location.hash;
  route = parseAddress(hash);
  for (const listener of listeners) listener();
}

addEventListener("hashchange", update);
addEventListener("popstate", update);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, () => route);
}

export function currentRoute(): Route {
  return route;
}

/** @param replace changes the current entry of the browser's history, so that "back" skips selections and half-typed searches */
export function goTo(address: string, replace = false): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  update();
}

/** Changes the query of the view that is shown. */
export function changeAddress(query: AddressQuery, replace = true): void {
  if (route.view === "unknown") return;
  goTo(formatAddress({ ...route, query }), replace);
}
