import { type KeyboardEvent, Suspense, useId, useRef, useState } from "react";
import { type ListedOption, optionLabel } from "../../model/lists/listed-options.js";
import { ErrorBoundary } from "./error-boundary.js";
import { lazyView } from "./lazy-view.js";
import styles from "./listbox.module.css";
import { placePopover } from "./place-popover.js";

const ListboxPanel = lazyView(() => import("./listbox-panel.js"));

interface ListboxProps {
  readonly label: string;
  /** Label of the option without a value (`""`). Default is no such option. */
  readonly all?: string;
  readonly value: string;
  /** Thousands are fine: a long list has a search. */
  readonly options: readonly ListedOption[];
  onChoose(value: string): void;
}

/**
 * Keys of a select-only combobox (ARIA 1.2), with a search if the list is long. An unlisted value from the address stays selectable. The
 * panel is loaded at the first opening.
 */
export function Listbox({ label, all, value, options, onChoose }: ListboxProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const listed = listedOptions(options, value, all);
  const chosen = listed.find((option) => option.value === value);
  const close = () => panel.current?.hidePopover();
  // Text that is typed while the code loads belongs to the search, and must not trigger keys of the page.
  const typed = useRef("");
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      panel.current?.showPopover();
    } else if (key.length === 1 && !ctrlKey && !metaKey && !altKey && isPopoverOpen(panel.current)) {
      event.preventDefault();
      event.stopPropagation();
      typed.current += key;
    }
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        popoverTarget={id}
        data-chosen={value !== ""}
        className={styles.button}
        onKeyDown={press}
      >
        <span>{chosen === undefined ? label : optionLabel(chosen)}</span>
        <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={styles.panel}
        onBeforeToggle={() => placePopover(panel.current!, button.current!)}
        onToggle={(event) => {
          setOpen(isPopoverOpen(event.currentTarget));
          if (!isPopoverOpen(event.currentTarget)) typed.current = "";
        }}
      >
        {isOpen && (
          <ErrorBoundary fallback={null}>
            <Suspense fallback={null}>
              <ListboxPanel
                id={id}
                label={label}
                value={value}
                options={listed}
                typed={typed}
                onClose={close}
                onChoose={(one) => {
                  close();
                  if (one !== value) onChoose(one);
                }}
              />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
    </>
  );
}

function isPopoverOpen(popover: Element | null): boolean {
  return popover?.matches(":popover-open") === true;
}

function listedOptions(options: readonly ListedOption[], value: string, all: string | undefined) {
  const isOption = value === "" || options.some((option) => option.value === value);
  return [
    ...(all === undefined ? [] : [{ value: "", label: all }]),
    ...(isOption ? [] : [{ value }]),
    ...options,
  ];
}
