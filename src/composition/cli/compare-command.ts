import { onceMore } from "../../application/questions/once-more.js";
import { comparisonText } from "./comparison-text.js";
import { findSession } from "./find-session.js";
import { print } from "./print.js";
import { plainJson } from "./terminal-text.js";
import { type HistoriesOptions, type OpenHistories, withHistories } from "./with-histories.js";

export interface CompareOptions extends HistoriesOptions {
  /** Whether the answer of the HTTP API is printed. */
  readonly json?: boolean | undefined;
}

/**
 * Prints two sessions side by side, and where they part.
 *
 * @param names each an id, the beginning of one, or either behind its tenant: `acme/s1`
 * @throws CommandLineError for a session that there is not, or that is not told from another
 */
export async function compareHistories(
  names: readonly [string, string],
  open: OpenHistories,
  { json = false, ...options }: CompareOptions,
): Promise<void> {
  await withHistories(open, options, async ({ listSessions, compareSessions }, signal) => {
    const items = [
      await findSession(listSessions, names[0], signal),
      await findSession(listSessions, names[1], signal),
    ] as const;
    const comparison = await onceMore(() => compareSessions.execute({ sessions: items }, { signal }));
    const text = json ? `${plainJson(JSON.stringify(comparison))}\n` : comparisonText(comparison, items);
    await print(text, signal);
  });
}
