import { mediaStore, useStore } from "./store.js";

/** Widths at which a line has no room for columns; style sheets use the same value. */
const NARROW = mediaStore("(max-width: 700px)");

/** True if details of an item are below its text, instead of beside it. */
export function useNarrow(): boolean {
  return useStore(NARROW);
}
