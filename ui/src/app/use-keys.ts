import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef } from "react";

import { ABSENT_KEYS } from "./page-parts.js";

export type KeyActions = { readonly [key: string]: ((event: KeyboardEvent) => void) | undefined };

/** Ignores keys while a person types or a dialog is open. A focused element may handle a key first. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) return;
      const action = ABSENT_KEYS.has(event.key) ? undefined : latest.current[event.key];
      if (action === undefined) return;
      // Enter and space press the focused button or link.
      if ((event.key === "Enter" || event.key === " ") && isPressable(event.target)) return;
      event.preventDefault();
      action(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("button, a[href], summary");
}

export function useCommandKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [open]);
}

/** By default, a browser clears the field. */
export function blurOnEscape(event: ReactKeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.currentTarget.blur();
}
