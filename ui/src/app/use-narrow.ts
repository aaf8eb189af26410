import { mediaStore, useStore } from "./store.js";

/** Where a line has no room for columns; style sheets say the same. */
const NARROW = mediaStore("(max-width: 700px)");

/** Whether what is known of something stands below its text, instead of beside it. */
export function useNarrow(): boolean {
  return useStore(NARROW);
}
