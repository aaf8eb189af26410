import type { ListProgress } from "../../application/ports/list-progress.js";

/** The line that is printed while a session list takes long. */
export function progressLine({ sessions, elapsedMs }: ListProgress): string {
  const perSecond = Math.round((sessions * 1_000) / elapsedMs);
  return `Reading the session list: ${sessions} sessions so far, ${perSecond} a second\n`;
}
