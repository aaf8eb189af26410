import { useSyncExternalStore } from "react";

/** Where a line has no room for columns; style sheets say the same. */
const NARROW = matchMedia("(max-width: 700px)");

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

/** Whether what is known of something stands below its text, instead of beside it. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}
