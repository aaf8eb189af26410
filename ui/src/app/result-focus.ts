/** A person requested to go to the results, and has done nothing since. */
let isRequested = false;

for (const type of ["keydown", "pointerdown"]) {
  addEventListener(
    type,
    (event) => {
      if (!(event instanceof KeyboardEvent && event.key === "Enter")) isRequested = false;
    },
    true,
  );
}

/** Without a matching title, goes to the matches in contents. */
export function focusResult(): void {
  isRequested = true;
  giveFocus();
}

/** For views that have drawn new results: moves the focus again if its target was missing or is gone. */
export function focusResultLater(): void {
  const { activeElement } = document;
  if (isRequested && (activeElement === document.body || activeElement?.matches("header input"))) giveFocus();
}

function giveFocus(): void {
  const list = document.querySelector<HTMLElement>('main [role="grid"], main [role="list"] a');
  if (list === null) return;
  list.focus();
  if (list.matches("a")) isRequested = false;
}
