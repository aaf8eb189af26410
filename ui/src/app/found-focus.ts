/** Whether somebody has asked to go to what the search of all sessions finds, and has done nothing else since. */
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

/** Gives the focus to the sessions; where no title has it, to what was found in contents. */
export function focusFound(): void {
  isAsked = true;
  giveFocus();
}

/**
 * The same once more where there was nothing to go to, or what there was has gone: the sessions of the text before, of which
 * none has what is searched for now. For views that have drawn what was found.
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
