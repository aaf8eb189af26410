import { useEffect, useRef, useState } from "react";
import type { FilterProblem } from "../../../../src/domain/filter/filter-problem.js";
import { usePreferences } from "../../app/preferences.js";
import { zoneName } from "../../engine/zone-name.js";
import {
  filterSoFar,
  finish,
  joinTerms,
  lastPiece,
  openFilter,
  readFilter,
  type TypedFilter,
  typeDraft,
} from "../../model/filter-text.js";

/** Typing pause before an error is displayed: nearly every incomplete term is invalid. */
const TYPING_MS = 900;

/** Displayed errors of the typed text: only that it is wrong, or also that something is missing at its end. */
type Said = "nothing" | "wrong" | "all";

/** Problem of the typed text. */
interface DraftProblem extends FilterProblem {
  /** The text that it is in: `at` counts from its beginning. */
  readonly text: string;
}

/**
 * State of the filter while it is typed: its terms, and the text after them. A valid filter is written to the address at once.
 *
 * @param filter the filter from the address
 */
export function useFilterText(filter: string, onChange: (filter: string) => void) {
  const { zone } = usePreferences();
  const read = (text: string) => readFilter(text, Date.now(), zoneName(zone));
  const isRight = (text: string) => !("problem" in read(text));
  const [typed, setTyped] = useState(() => openFilter(filter, isRight));
  const [said, setSaid] = useState<Said>(() => (typed.draft === "" ? "nothing" : "all"));
  const written = useRef(filter);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Somebody else has changed the address: a view that was chosen, "back", a link.
  useEffect(() => {
    if (filter === written.current) return;
    written.current = filter;
    const opened = openFilter(filter, (text) => !("problem" in readFilter(text, Date.now(), zoneName(zone))));
    setTyped(opened);
    setSaid(opened.draft === "" ? "nothing" : "all");
  }, [filter, zone]);

  const put = (next: TypedFilter) => {
    setTyped(next);
    clearTimeout(timer.current);
    setSaid("nothing");
    if (next.draft !== "") timer.current = setTimeout(() => setSaid("wrong"), TYPING_MS);
    const text = filterSoFar(next, isRight);
    if (text === written.current) return;
    written.current = text;
    onChange(text);
  };
  const { terms, draft } = typed;
  return {
    terms,
    draft,
    /** Absent while somebody types. */
    problem:
      said === "all" || (said === "wrong" && !isUnfinished(draft)) ? problemOf(typed, read) : undefined,
    type: (text: string) => put(typeDraft(typed, text, isRight)),
    /** Converts all typed text to terms if it is a valid filter; otherwise displays its problems. */
    finish: () => {
      put(finish(typed, isRight));
      setSaid("all");
    },
    /** Takes a complete draft at once, and finishes its last term. */
    take: (text: string) => put(finish({ terms, draft: text }, isRight)),
    remove: (index: number) => put({ terms: terms.filter((_, i) => i !== index), draft }),
    /** Takes a term back into the text, to be changed there. What was being typed is finished, or comes in front. */
    edit: (index: number) => {
      const rest = { terms: terms.filter((_, i) => i !== index), draft };
      const finished = draft.trim() === "" ? rest : finish(rest, isRight);
      put({ terms: finished.terms, draft: joinTerms([finished.draft.trim(), terms[index]!]) });
    },
    clear: () => put({ terms: [], draft: "" }),
  };
}

/** True if a field has no value yet. */
function isUnfinished(draft: string): boolean {
  const { field, text } = lastPiece(draft);
  return field !== undefined && text === "";
}

function problemOf(
  { terms, draft }: TypedFilter,
  read: (text: string) => ReturnType<typeof readFilter>,
): DraftProblem | undefined {
  const before = joinTerms(terms);
  const whole = joinTerms([...terms, draft]);
  const answer = read(whole);
  if (draft.trim() === "" || !("problem" in answer)) return undefined;
  const offset = before === "" ? 0 : before.length + 1;
  const { problem } = answer;
  // A problem of the complete filter, such as a parenthesis closed by later text, is displayed in the complete text.
  return problem.at >= offset
    ? { ...problem, at: problem.at - offset, text: draft }
    : { ...problem, text: whole };
}
