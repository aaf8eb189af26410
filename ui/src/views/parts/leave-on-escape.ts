import type { KeyboardEvent } from "react";

/** Escape leaves a search and keeps what was searched for; by itself the browser would empty it. */
export function leaveOnEscape(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.currentTarget.blur();
}
