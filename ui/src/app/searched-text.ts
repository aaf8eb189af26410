import { createContext, useContext, useMemo } from "react";
import { matchPattern } from "../model/search.js";

/** The search text, as a person typed it; empty without a search. */
export const SearchedText = createContext("");

/** Returns true if a text search matches a text, but not its beginning. */
export function useFoundBehind(beginning: string, text: string): boolean {
  const q = useContext(SearchedText);
  return useMemo(() => {
    const pattern = matchPattern(q);
    return pattern !== undefined && beginning.search(pattern) === -1 && text.search(pattern) !== -1;
  }, [q, beginning, text]);
}
