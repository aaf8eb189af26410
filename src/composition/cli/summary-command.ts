import { onceMore } from "../../application/questions/once-more.js";
import { findSession } from "./find-session.js";
import { print } from "./print.js";
import { summaryText } from "./summary-text.js";
import { plainJson } from "./terminal-text.js";
import { type HistoriesOptions, type OpenHistories, withHistories } from "./with-histories.js";

export interface SummaryOptions extends HistoriesOptions {
  /** Whether the answer of the HTTP API is printed. */
  readonly json?: boolean | undefined;
}

/**
 * Prints what a session's tokens, money and time went into.
 *
 * @param name an id, the beginning of one, or either behind its tenant: `acme/s1`
 * @throws CommandLineError for a session that there is not, or that is not told from another
 */
export async function summarizeHistory(
  name: string,
  open: OpenHistories,
  { json = false, ...options }: SummaryOptions,
): Promise<void> {
  await withHistories(open, options, async ({ listSessions, summarizeSession }, signal) => {
    const item = await findSession(listSessions, name, signal);
    const answer = await onceMore(() => summarizeSession.execute(item, { signal }));
    if (answer.isUnchanged) throw new TypeError("The summary is unchanged for a caller that has none.");
    const { value: summary } = answer;
    await print(json ? `${plainJson(JSON.stringify(summary))}\n` : summaryText(summary, item), signal);
  });
}
