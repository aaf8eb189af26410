/** A person requested to go to the results, and has done nothing since. */
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

/** Without a matching title, goes to the matches in contents. */
export function focusFound(): void {
  isAsked = true;
  giveFocus();
}

/** For views that have drawn new results: moves the focus again if its target was missing or is gone. */
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
