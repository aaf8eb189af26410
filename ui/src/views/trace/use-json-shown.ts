import { useSyncExternalStore } from "react";
import type { AddressQuery } from "../../model/address.js";

/** Wide enough for a trace, the fields of an event, and its JSON, side by side. */
const ROOMY = matchMedia("(min-width: 1600px)");

function subscribe(listener: () => void): () => void {
  ROOMY.addEventListener("change", listener);
  return () => ROOMY.removeEventListener("change", listener);
}

/** Whether the details show their JSON: as the address says, else where the window is so wide that nothing needs to be folded away. */
export function useJsonShown(query: AddressQuery, onChange: (changes: AddressQuery) => void) {
  const roomy = useSyncExternalStore(subscribe, () => ROOMY.matches);
  const isShown = query.raw === undefined ? roomy : query.raw === "1";
  return { isShown, toggle: () => onChange({ raw: isShown ? "0" : "1" }) };
}
