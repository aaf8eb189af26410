import { type ReactNode, useRef } from "react";
import { placePopover } from "./place-popover.js";
import styles from "./popover.module.css";

interface PopoverProps {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint: string;
  readonly children: ReactNode;
  onToggle?(isOpen: boolean): void;
}

/** The browser closes it by Escape, and by a click elsewhere. */
export function Popover({ id, label, hint, children, onToggle }: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} data-tip={hint} className={styles.button}>
        <span>{label}</span> <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={hint}
        className={styles.panel}
        onBeforeToggle={() => placePopover(panel.current!, button.current!)}
        onToggle={(event) => onToggle?.(event.currentTarget.matches(":popover-open"))}
      >
        {children}
      </div>
    </>
  );
}

export function closePopover(id: string): void {
  document.getElementById(id)?.hidePopover();
}
