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

/** How long nobody types before it is said that what was typed is wrong: nearly every half of a term is. */
const TYPING_MS = 900;

/** What is said of what was typed: that it is wrong, or also that something is missing at its end. */
type Said = "nothing" | "wrong" | "all";

/** What is wrong with what is being typed. */
interface DraftProblem extends FilterProblem {
  /** The text that it is in: `at` counts from its beginning. */
  readonly text: string;
}

/**
 * The filter as it is typed: its terms, and the text behind them. What is a filter goes into the address at once.
 *
 * @param filter the one that the address names
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
    /** Makes terms of all that was typed, where it is a filter; says what is wrong where it is none. */
    finish: () => {
      put(finish(typed, isRight));
      setSaid("all");
    },
    /** A whole draft at once, with what it ends in finished. */
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

/** Whether a field waits for its value. */
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
  // What is wrong with all of it, such as a parenthesis that is closed by what came later, is shown in all of it.
  return problem.at >= offset
    ? { ...problem, at: problem.at - offset, text: draft }
    : { ...problem, text: whole };
}
