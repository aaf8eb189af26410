import { mediaStore, useStore } from "./store.js";

const NARROW = mediaStore("(max-width: 700px)");

export function useNarrow(): boolean {
  return useStore(NARROW);
}
