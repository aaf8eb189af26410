import { mediaStore, useStore } from "../../app/store.js";
import type { AddressQuery } from "../../model/address.js";

/** Wide enough for a trace, the fields of an event, and its JSON, side by side. */
const ROOMY = mediaStore("(min-width: 1600px)");

/** Whether the details show their JSON: as the address says, else where the window is so wide that nothing needs to be folded away. */
export function useJsonShown(query: AddressQuery, onChange: (changes: AddressQuery) => void) {
  const roomy = useStore(ROOMY);
  const isShown = query.raw === undefined ? roomy : query.raw === "1";
  return { isShown, toggle: () => onChange({ raw: isShown ? "0" : "1" }) };
}
