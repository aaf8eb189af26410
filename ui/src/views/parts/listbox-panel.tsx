import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import {
  groupedOptions,
  type ListedOption,
  matchingOptions,
  optionBeginningWith,
  optionLabel,
} from "../../model/lists/listed-options.js";
import { LISTBOX_STRINGS as strings } from "../../strings/listbox-strings.js";
import styles from "./listbox-panel.module.css";

interface ListboxPanelProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly ListedOption[];
  readonly typed: RefObject<string>;
  onChoose(value: string): void;
  onClose(): void;
}

/** More options need a search. */
const FEW = 8;
const PAGE = 10;
/** A letter after such a pause begins another word. */
const TYPING_MS = 700;

/** `aria-activedescendant` names the current option. */
export default function ListboxPanel(props: ListboxPanelProps) {
  const { id, label, value, options, onChoose, onClose } = props;
  const early = props.typed.current;
  const hasSearch = options.length > FEW;
  const [text, setText] = useState(hasSearch ? early : "");
  const matching = matchingOptions(options, text);
  const [active, setActive] = useState(() => {
    if (text !== "") return 0;
    const chosen = options.findIndex((option) => option.value === value);
    const begins = early === "" ? undefined : optionBeginningWith(matching, early, chosen);
    return Math.max(0, begins ?? chosen);
  });
  const focused = useRef<HTMLInputElement & HTMLDivElement>(null);
  const typed = useRef({ text: "", at: 0 });
  useLayoutEffect(() => focused.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is found moves the active option
  useLayoutEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active, text]);

  const move = (to: number) => setActive(Math.min(matching.length - 1, Math.max(0, to)));
  const typeAhead = (letter: string) => {
    const now = performance.now();
    const { text: before, at } = typed.current;
    typed.current = { text: (now - at > TYPING_MS ? "" : before) + letter, at: now };
    setActive(optionBeginningWith(matching, typed.current.text, active) ?? active);
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    // Keys of the page must not react.
    event.stopPropagation();
    const choose = () => matching[active] !== undefined && onChoose(matching[active].value);
    const keys: { readonly [key: string]: (() => void) | undefined } = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + PAGE),
      PageUp: () => move(active - PAGE),
      Home: () => move(0),
      End: () => move(matching.length - 1),
      Enter: choose,
      Escape: onClose,
      " ": hasSearch ? undefined : choose,
    };
    const act = keys[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    } else if (event.key === "Tab") onClose();
    else if (!hasSearch && event.key.length === 1) typeAhead(event.key);
  };
  const activeId = matching.length === 0 ? undefined : `${id}-${active}`;
  return (
    <div className={styles.panel}>
      {hasSearch && (
        <input
          ref={focused}
          type="text"
          role="combobox"
          aria-label={strings.search(label)}
          aria-expanded={matching.length > 0}
          aria-controls={matching.length > 0 ? `${id}-list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          autoComplete="off"
          spellcheck={false}
          placeholder={strings.placeholder}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
      )}
      {matching.length > 0 && (
        <div
          ref={hasSearch ? null : focused}
          role="listbox"
          id={`${id}-list`}
          aria-label={label}
          tabIndex={hasSearch ? -1 : 0}
          aria-activedescendant={hasSearch ? undefined : activeId}
          className={styles.list}
          onKeyDown={(event) => !hasSearch && press(event)}
        >
          {groupedOptions(matching).map(({ name, first, options: of }) => {
            const lines = of.map((option, at) => (
              <Option
                key={option.value}
                id={`${id}-${first + at}`}
                option={option}
                isChosen={option.value === value}
                isActive={first + at === active}
                onChoose={onChoose}
              />
            ));
            return name === "" ? (
              lines
            ) : (
              <div key={name} role="group" aria-label={name}>
                <p aria-hidden="true">{name}</p>
                {lines}
              </div>
            );
          })}
        </div>
      )}
      {hasSearch && (
        <p role="status" className={matching.length > 0 ? "visually-hidden" : undefined}>
          {matching.length === 0 ? strings.none : text !== "" && strings.matches(matching.length)}
        </p>
      )}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly option: ListedOption;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  onChoose(value: string): void;
}

function Option({ id, option, isChosen, isActive, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search or the list has the focus and the keys
    <div
      role="option"
      id={id}
      aria-selected={isChosen}
      data-active={isActive}
      onClick={() => onChoose(option.value)}
    >
      {optionLabel(option)}
    </div>
  );
}
