import type { ListProgress } from "../../application/ports/list-progress.js";

const COUNT = new Intl.NumberFormat("en");

/** The line that is printed while a session list takes long. */
export function progressLine({ sessions, total, elapsedMs }: ListProgress): string {
  const seconds = Math.round(elapsedMs / 1_000);
  return `Reading the session list: ${COUNT.format(sessions)} of ${COUNT.format(total)} sessions, ${seconds} s\n`;
}
