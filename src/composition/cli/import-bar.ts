import type { ImportProgress } from "../../adapters/postgres/import-sessions.js";

/** Where a bar is drawn: a terminal, or a file that gets a line now and then. */
export interface BarOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ImportBar {
  show(progress: ImportProgress): void;
  /** Leaves the bar as it is, and goes on below it. */
  end(): void;
}

const WIDTH = 30;
const TERMINAL_EVERY_MS = 100;
const FILE_EVERY_MS = 5_000;

/** Draws how far an import is. */
export function importBar(
  output: BarOutput,
  now: () => number = performance.now.bind(performance),
): ImportBar {
  const isTerminal = output.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show(progress) {
      const isLast = progress.sessions === progress.totalSessions;
      if (!isLast && now() - shownAt < (isTerminal ? TERMINAL_EVERY_MS : FILE_EVERY_MS)) return;
      shownAt = now();
      isOpen = isTerminal;
      output.write(isTerminal ? `\r${barText(progress)}\u001b[K` : `${barText(progress)}\n`);
    },
    end() {
      if (isOpen) output.write("\n");
      isOpen = false;
    },
  };
}

function barText({ sessions, totalSessions, records, bytes }: ImportProgress): string {
  const share = totalSessions === 0 ? 1 : sessions / totalSessions;
  const full = Math.floor(share * WIDTH);
  const bar = "#".repeat(full) + "-".repeat(WIDTH - full);
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return `[${bar}] ${sessions} of ${totalSessions} sessions, ${records} records, ${megabytes} MB`;
}
