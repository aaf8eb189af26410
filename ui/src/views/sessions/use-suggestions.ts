import { useMemo } from "react";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { type FilterSuggestions, suggestionsFor } from "../../model/filter/filter-suggestions.js";
import { lastPiece } from "../../model/filter/filter-text.js";

/** An overview makes the service read all sessions. */
const OF_OVERVIEW: ReadonlySet<string | undefined> = new Set(["tool", "failed", "error", "role"]);

/**
 * The engine provides values once somebody types.
 * @param version of the list
 */
export function useSuggestions(text: string, isOpen: boolean, version: number): FilterSuggestions {
  const piece = lastPiece(text);
  const isOfOverview = isOpen && OF_OVERVIEW.has(piece.field);
  const ofList = useAnswer(() => (isOpen ? engine.call("listValues") : undefined), [isOpen, version]);
  const ofOverview = useAnswer(
    () => (isOfOverview ? engine.call("overviewValues") : undefined),
    // With each letter: as long as it has not read all sessions, it knows more the next time.
    [isOfOverview, isOfOverview && piece.text],
  );
  return useMemo(() => suggestionsFor(text, { ...ofList, ...ofOverview }), [text, ofList, ofOverview]);
}
