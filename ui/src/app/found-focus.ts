/** True if a person requested to go to the results of the search of all sessions, and has done nothing else since. */
let isAsked = false;

for (const type of ["keydown", "pointerdown"]) {
  addEventListener(
    type,
    (event) => {
      if (!(event instanceof KeyboardEvent && event.key === "Enter")) isAsked = false;
    },
    true,
  );
}

/** Moves the focus to the sessions; if no title matches, to the matches in contents. */
export function focusFound(): void {
  isAsked = true;
  giveFocus();
}

/**
 * Moves the focus again if there was no target, or if the target is gone. The sessions of the previous text are gone if none of them
 * matches the new text. For views that have drawn the results.
 */
export function focusFoundLater(): void {
  const { activeElement } = document;
  if (isAsked && (activeElement === document.body || activeElement?.matches("header input"))) giveFocus();
}

function giveFocus(): void {
  const found = document.querySelector<HTMLElement>('main [role="grid"], main [role="list"] a');
  if (found === null) return;
  found.focus();
  if (found.matches("a")) isAsked = false;
}
