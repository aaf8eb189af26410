import { availableParallelism } from "node:os";
import { ThreadPool } from "../../adapters/files/threads/thread-pool.js";
import {
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
} from "../../application/errors.js";
import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import { createInspectorContainer, useCasesOf } from "../container.js";
import { CommandLineError } from "./command-line-error.js";
import type { OpenedSource, OpenSourceOptions } from "./open-source.js";
import { type PriceOptions, pricesIn } from "./price-file.js";
import { progressLine } from "./progress-line.js";

export interface HistoriesOptions extends PriceOptions {
  /** Whether what is read of files may be kept for the next start. */
  readonly cache: boolean;
}

export type OpenHistories = (options: OpenSourceOptions) => Promise<OpenedSource>;

/** Errors whose message says what to do. */
const EXPLAINED = [InvalidRequestError, SessionNotFoundError, SourceChangedError, SourceUnavailableError];

/**
 * Opens histories, has something done with them, such as printed, and closes them. It ends as soon as nobody reads what is printed any more.
 *
 * @throws CommandLineError for what is not there, or cannot be read
 */
export async function withHistories(
  open: OpenHistories,
  { cache, ...options }: HistoriesOptions,
  use: (useCases: InspectorUseCases, signal: AbortSignal, opened: OpenedSource) => Promise<void>,
): Promise<void> {
  const prices = await pricesIn(options);
  const stop = new AbortController();
  const { signal } = stop;
  process.stdout.on("error", () => stop.abort());
  const pool = new ThreadPool(availableParallelism(), "keeping");
  pool.begin();
  try {
    const opened = await open({ pool, cache, demo: false, onProgress: showProgress });
    try {
      const container = createInspectorContainer(opened.source, { pool, prices });
      await use(useCasesOf(container), signal, opened);
    } finally {
      await opened.close();
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

/** On a terminal only. */
function showProgress(...progress: Parameters<typeof progressLine>): void {
  if (process.stderr.isTTY) process.stderr.write(progressLine(...progress));
}
