import { createContext, useContext, useMemo } from "react";
import { matchPattern } from "../model/search/search.js";

/** As typed; empty without a search. */
export const SearchedText = createContext("");

/** True if the search matches the text only after its beginning. */
export function useMatchAfter(beginning: string, text: string): boolean {
  const q = useContext(SearchedText);
  return useMemo(() => {
    const pattern = matchPattern(q);
    return pattern !== undefined && beginning.search(pattern) === -1 && text.search(pattern) !== -1;
  }, [q, beginning, text]);
}
