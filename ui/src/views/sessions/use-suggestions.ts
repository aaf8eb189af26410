import { useMemo } from "react";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { type FilterSuggestions, suggestionsFor } from "../../model/filter-suggestions.js";
import { lastPiece } from "../../model/filter-text.js";

/** Fields with values only from an overview: it requires the service to read all sessions. */
const OF_OVERVIEW: ReadonlySet<string | undefined> = new Set(["tool", "failed", "error", "role"]);

/**
 * Returns suggestions for the typed text. The engine provides the available values once somebody types.
 *
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
