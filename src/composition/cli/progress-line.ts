import type { ListProgress } from "../../application/ports/list-progress.js";

const COUNT = new Intl.NumberFormat("en");

/**
 * The line that is printed while a session list takes long.
 *
 * @param source whose list it is, where there are several
 */
export function progressLine({ sessions, total, elapsedMs }: ListProgress, source?: string): string {
  const seconds = Math.round(elapsedMs / 1_000);
  return `Reading the session list${source === undefined ? "" : ` of ${source}`}: ${COUNT.format(sessions)} of ${COUNT.format(total)} sessions, ${seconds} s\n`;
}
