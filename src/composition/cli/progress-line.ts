import type { ListProgress } from "../../adapters/filesystem/session-catalog.js";

/** What to tell while a session list takes long. */
export function progressLine({ sessions, elapsedMs }: ListProgress): string {
  const perSecond = Math.round((sessions * 1_000) / elapsedMs);
  return `Reading the session list: ${sessions} sessions so far, ${perSecond} a second\n`;
}
