import { availableParallelism } from "node:os";
import { ThreadPool } from "../../adapters/jsonl/thread-pool.js";
import {
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
} from "../../application/errors.js";
import { onceMore } from "../../application/once-more.js";
import { createInspectorContainer } from "../container.js";
import { TOKENS } from "../tokens.js";
import { CommandLineError } from "./command-line-error.js";
import { comparisonText } from "./comparison-text.js";
import { findSession } from "./find-session.js";
import type { OpenedSource, OpenSourceOptions } from "./open-source.js";
import { print } from "./print.js";
import { plainJson } from "./terminal-text.js";

export interface CompareOptions {
  /** Whether the answer of the HTTP API is printed. */
  readonly json?: boolean | undefined;
  /** Whether what is read of files may be kept for the next start. */
  readonly cache: boolean;
}

/** Errors whose message says what to do. */
const EXPLAINED = [InvalidRequestError, SessionNotFoundError, SourceChangedError, SourceUnavailableError];

/**
 * Prints two sessions side by side, and where they part. It ends as soon as nobody reads what it prints any more.
 *
 * @param names each an id, the beginning of one, or either behind its tenant: `acme/s1`
 * @throws CommandLineError for a session that there is not, or that is not told from another
 */
export async function compareHistories(
  names: readonly [string, string],
  open: (options: OpenSourceOptions) => Promise<OpenedSource>,
  { json = false, cache }: CompareOptions,
): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  process.stdout.on("error", () => stop.abort());
  const pool = new ThreadPool(availableParallelism());
  pool.begin();
  try {
    const { source, close } = await open({ pool, cache, demo: false });
    try {
      const container = createInspectorContainer(source, { pool });
      const listSessions = container.resolve(TOKENS.listSessions);
      const items = [
        await findSession(listSessions, names[0], signal),
        await findSession(listSessions, names[1], signal),
      ] as const;
      const compareSessions = container.resolve(TOKENS.compareSessions);
      const comparison = await onceMore(() => compareSessions.execute({ sessions: items }, { signal }));
      await print(
        json ? `${plainJson(JSON.stringify(comparison))}\n` : comparisonText(comparison, items),
        signal,
      );
    } finally {
      await close();
    }
  } catch (error) {
    if (EXPLAINED.some((known) => error instanceof known)) {
      throw new CommandLineError((error as Error).message, { cause: error });
    }
    if (!signal.aborted) throw error;
  } finally {
    await pool.close();
  }
}
