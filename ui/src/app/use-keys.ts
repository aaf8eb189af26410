import { useEffect, useRef } from "react";

export type KeyActions = { readonly [key: string]: ((event: KeyboardEvent) => void) | undefined };

/**
 * Single keys that do something while a view is shown. They rest while somebody types, and while a dialog is open; `Escape`
 * is for whoever has the focus first.
 */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) return;
      const action = latest.current[event.key];
      if (action === undefined) return;
      // Enter and space mean the button or link that has the focus.
      if ((event.key === "Enter" || event.key === " ") && isPressable(event.target)) return;
      event.preventDefault();
      action(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("button, a[href], summary");
}
