import { type KeyboardEvent, useId, useRef, useState } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { useKeys } from "../../app/use-keys.js";
import { chipParts } from "../../model/filter/filter-text.js";
import { FILTER_STRINGS as strings } from "../../strings/filter-strings.js";
import styles from "./filter-bar.module.css";
import { FilterOptions } from "./filter-options.js";
import { FilterProblemLine } from "./filter-problem-line.js";
import { useFilterText } from "./use-filter-text.js";
import { useSuggestions } from "./use-suggestions.js";

interface FilterBarProps {
  readonly filter: string;
  readonly version: number;
  readonly undecided: number;
  onChange(filter: string): void;
  onLeave(): void;
}

/** Finished terms are chips. Keys of a combobox with a list (ARIA 1.2); Escape closes the list, then clears the text, then the filter. */
export function FilterBar({ filter, version, undecided, onChange, onLeave }: FilterBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const typed = useFilterText(filter, onChange);
  const { terms, draft, problem } = typed;
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const { at, says, offered, isFirstSelected } = useSuggestions(draft, isOpen, version);
  const isListed = isOpen && offered.length > 0;
  // A field without values has at least a description.
  const isVisible = isListed || (isOpen && says !== undefined && problem === undefined);
  const active = !isListed ? undefined : (chosen ?? (isFirstSelected ? 0 : undefined));
  useKeys({ f: () => field.current?.focus() });

  const type = (text: string) => {
    typed.type(text);
    setOpen(true);
    setChosen(undefined);
  };
  const take = (index: number) => {
    const { text, isTerm } = offered[index]!;
    const taken = draft.slice(0, at) + text;
    if (isTerm) typed.take(taken);
    else typed.type(taken);
    setChosen(undefined);
    field.current?.focus();
  };
  const edit = (index: number) => {
    typed.edit(index);
    setOpen(true);
    field.current?.focus();
  };
  const remove = (index: number) => {
    typed.remove(index);
    field.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isAtStart = selectionStart === 0 && selectionEnd === 0;
    const move = (to: number) => setChosen((to + offered.length) % offered.length);
    const keys: { readonly [key: string]: (() => void) | undefined } = {
      ArrowDown: () => (isListed ? move((active ?? -1) + 1) : setOpen(true)),
      ArrowUp: () => (isListed ? move((active ?? 0) - 1) : setOpen(true)),
      Enter: () => {
        if (active !== undefined) return take(active);
        if (draft.trim() === "") return onLeave();
        typed.finish();
        setOpen(false);
      },
      Tab: isListed && draft.trim() !== "" && !event.shiftKey ? () => take(active ?? 0) : undefined,
      Escape: () => {
        if (isVisible) setOpen(false);
        else if (draft !== "") typed.type("");
        else if (terms.length > 0) typed.clear();
        else field.current?.blur();
      },
      Backspace: isAtStart && terms.length > 0 ? () => edit(terms.length - 1) : undefined,
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div className={styles.bar}>
      <div className={styles.field}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the field is one on the field, which has the keys */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
        <div
          className={styles.box}
          onClick={(event) => event.target === event.currentTarget && field.current?.focus()}
        >
          {terms.length > 0 && (
            <ul className={styles.terms} aria-label={strings.terms}>
              {terms.map((term, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same term may be there twice
                <li key={`${index} ${term}`}>
                  <button type="button" title={strings.edit(term)} onClick={() => edit(index)}>
                    <Term term={term} />
                  </button>
                  <button type="button" aria-label={strings.remove(term)} onClick={() => remove(index)}>
                    ×
                  </button>
                </li>
              ))}
            </ul>
          )}
          <input
            ref={field}
            type="text"
            role="combobox"
            aria-label={strings.filter}
            aria-expanded={isListed}
            aria-controls={isListed ? `${id}-list` : undefined}
            aria-autocomplete="list"
            aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            autoComplete="off"
            autoCapitalize="off"
            spellcheck={false}
            placeholder={terms.length === 0 ? strings.placeholder : ""}
            value={draft}
            onFocus={() => setOpen(true)}
            onBlur={() => {
              setOpen(false);
              setChosen(undefined);
              if (draft.trim() !== "") typed.finish();
            }}
            onClick={() => setOpen(true)}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={press}
          />
          {terms.length === 0 && draft === "" ? (
            <span aria-hidden="true">
              <kbd>f</kbd>
            </span>
          ) : (
            <button type="button" className={styles.clear} aria-label={strings.clear} onClick={typed.clear}>
              ×
            </button>
          )}
        </div>
        {isVisible && <FilterOptions id={id} says={says} offered={offered} active={active} onTake={take} />}
      </div>
      <p role="status" className="visually-hidden">
        {isListed && strings.offered(offered.length)}
      </p>
      {problem !== undefined && (
        <FilterProblemLine
          id={`${id}-problem`}
          problem={problem}
          onMend={
            problem.text === draft
              ? (mended) => {
                  typed.type(mended);
                  field.current?.focus();
                }
              : undefined
          }
        />
      )}
      {undecided > 0 && problem === undefined && (
        <p className={styles.undecided}>{strings.undecided(formatCount(undecided))}</p>
      )}
    </div>
  );
}

function Term({ term }: { readonly term: string }) {
  const { field, value } = chipParts(term);
  return (
    <>
      {field !== "" && <span>{field}</span>}
      {value}
    </>
  );
}
