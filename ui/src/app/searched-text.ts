import { createContext, useContext, useMemo } from "react";
import { matchPattern } from "../model/search.js";

/** What is searched for, as a person typed it; empty where nothing is. */
export const SearchedText = createContext("");

/** Whether a text search finds something in a text, and not in its beginning. */
export function useFoundBehind(beginning: string, text: string): boolean {
  const q = useContext(SearchedText);
  return useMemo(() => {
    const pattern = matchPattern(q);
    return pattern !== undefined && beginning.search(pattern) === -1 && text.search(pattern) !== -1;
  }, [q, beginning, text]);
}
