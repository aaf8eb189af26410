import { type AddressQuery, formatAddress, parseAddress, type Route } from "../model/address/address.js";
import { Store, useStore } from "./store.js";

let hash = location.hash;
const route = new Store(parseAddress(hash));

function update(): void {
  if (location.hash === hash) return;
  hash = location.hash;
  route.set(parseAddress(hash));
}

addEventListener("hashchange", update);
addEventListener("popstate", update);

export function useRoute(): Route {
  return useStore(route);
}

export function currentRoute(): Route {
  return route.get();
}

/** @param replace "back" skips the current entry: for selections and half-typed searches */
export function goTo(address: string, replace = false): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  update();
}

export function changeAddress(query: AddressQuery, replace = true): void {
  const current = currentRoute();
  if (current.view === "unknown") return;
  goTo(formatAddress({ ...current, query }), replace);
}
