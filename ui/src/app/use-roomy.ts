import { useSyncExternalStore } from "react";

/** Room for a trace, what an event says, and its JSON, side by side. */
const ROOMY = matchMedia("(min-width: 1600px)");

function subscribe(listener: () => void): () => void {
  ROOMY.addEventListener("change", listener);
  return () => ROOMY.removeEventListener("change", listener);
}

/** Whether the window is so wide that nothing needs to be folded away. */
export function useRoomy(): boolean {
  return useSyncExternalStore(subscribe, () => ROOMY.matches);
}
