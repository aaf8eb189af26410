import { useEffect, useRef, useState } from "react";
import type { FilterProblem } from "../../../../src/domain/filter/filter-problem.js";
import { usePreferences } from "../../app/preferences.js";
import { zoneName } from "../../engine/sessions/zone-name.js";
import {
  filterSoFar,
  finish,
  joinTerms,
  lastPiece,
  openFilter,
  readFilter,
  type TypedFilter,
  typeDraft,
} from "../../model/filter/filter-text.js";

/** Nearly every incomplete term is invalid, so errors wait for a pause. */
const TYPING_MS = 900;

/** `"wrong"` excludes a missing end. */
type ReportedProblems = "nothing" | "wrong" | "all";

interface DraftProblem extends FilterProblem {
  /** The text that it is in: `at` counts from its beginning. */
  readonly text: string;
}

/**
 * Terms, and the text after them. Writes a valid filter to the address at once.
 * @param filter from the address
 */
export function useFilterText(filter: string, onChange: (filter: string) => void) {
  const { zone } = usePreferences();
  const read = (text: string) => readFilter(text, Date.now(), zoneName(zone));
  const isRight = (text: string) => !("problem" in read(text));
  const [typed, setTyped] = useState(() => openFilter(filter, isRight));
  const [reported, setReported] = useState<ReportedProblems>(() => (typed.draft === "" ? "nothing" : "all"));
  const written = useRef(filter);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address was changed otherwise: by a view, "back", or a link.
  useEffect(() => {
    if (filter === written.current) return;
    written.current = filter;
    const opened = openFilter(filter, (text) => !("problem" in readFilter(text, Date.now(), zoneName(zone))));
    setTyped(opened);
    setReported(opened.draft === "" ? "nothing" : "all");
  }, [filter, zone]);

  const put = (next: TypedFilter) => {
    setTyped(next);
    clearTimeout(timer.current);
    setReported("nothing");
    if (next.draft !== "") timer.current = setTimeout(() => setReported("wrong"), TYPING_MS);
    const text = filterSoFar(next, isRight);
    if (text === written.current) return;
    written.current = text;
    onChange(text);
  };
  const { terms, draft } = typed;
  return {
    terms,
    draft,
    problem:
      reported === "all" || (reported === "wrong" && !isUnfinished(draft))
        ? problemOf(typed, read)
        : undefined,
    type: (text: string) => put(typeDraft(typed, text, isRight)),
    /** Displays problems if the text is no valid filter. */
    finish: () => {
      put(finish(typed, isRight));
      setReported("all");
    },
    take: (text: string) => put(finish({ terms, draft: text }, isRight)),
    remove: (index: number) => put({ terms: terms.filter((_, i) => i !== index), draft }),
    /** Moves a term back into the text. Finishes the current draft, or puts it in front. */
    edit: (index: number) => {
      const rest = { terms: terms.filter((_, i) => i !== index), draft };
      const finished = draft.trim() === "" ? rest : finish(rest, isRight);
      put({ terms: finished.terms, draft: joinTerms([finished.draft.trim(), terms[index]!]) });
    },
    clear: () => put({ terms: [], draft: "" }),
  };
}

function isUnfinished(draft: string): boolean {
  const { field, text } = lastPiece(draft);
  return field !== undefined && text === "";
}

function problemOf(
  { terms, draft }: TypedFilter,
  read: (text: string) => ReturnType<typeof readFilter>,
): DraftProblem | undefined {
  const before = joinTerms(terms);
  const joined = joinTerms([...terms, draft]);
  const answer = read(joined);
  if (draft.trim() === "" || !("problem" in answer)) return undefined;
  const offset = before === "" ? 0 : before.length + 1;
  const { problem } = answer;
  // A problem of the complete filter, such as a parenthesis that later text closes, refers to the complete text.
  return problem.at >= offset
    ? { ...problem, at: problem.at - offset, text: draft }
    : { ...problem, text: joined };
}
