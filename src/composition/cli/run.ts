import { availableParallelism } from "node:os";
import { ThreadPool } from "../../adapters/files/threads/thread-pool.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import { openBrowser } from "./open-browser.js";
import type { OpenedSource, OpenSourceOptions } from "./open-source.js";
import { type PriceOptions, pricesIn } from "./price-file.js";
import { progressLine } from "./progress-line.js";
import type { ServeOptions } from "./serve.js";
import type { OpenedAgent } from "./served-app.js";
import { isLoopback } from "./server-address.js";

export interface ShowOptions extends ServeOptions, PriceOptions {
  /** Whether a browser may be opened. */
  readonly open: boolean;
  /** Whether what is read of files may be kept for the next start. */
  readonly cache: boolean;
}

export type OpenServed = (options: OpenSourceOptions) => Promise<OpenedSource | OpenedAgent>;

/** Opens a source and serves it until a signal stops the process. */
export async function run(open: OpenServed, options: ShowOptions): Promise<void> {
  // The process does nothing else: it may read with every processor there is. Threads begin while it loads the rest of itself.
  const pool = new ThreadPool(availableParallelism(), "keeping");
  pool.begin();
  try {
    await serveUntilStopped(open, pool, options);
  } finally {
    await pool.close();
  }
}

async function serveUntilStopped(open: OpenServed, pool: ReadingPool, options: ShowOptions): Promise<void> {
  const stopped = stopSignal();
  const prices = await pricesIn(options);
  const opened = await open({
    pool,
    cache: options.cache,
    readAhead: FIRST_ROWS + 1,
    onProgress: (...progress) => void process.stderr.write(progressLine(...progress)),
  });
  try {
    const [{ serve }, { apiWithUi }] = await Promise.all([import("./serve.js"), import("./served-app.js")]);
    const server = await serve(
      "app" in opened ? opened.app : apiWithUi(opened.source, { pool, prices }),
      options,
    );
    const { description, details = [] } = opened;
    process.stdout.write([`Showing ${description}: ${server.address}`, ...details, ""].join("\n"));
    if (!isLoopback(options.host)) warnOfExposure(options.host);
    if (options.open && process.stdout.isTTY && !process.env.CI) openBrowser(server.address);
    await stopped;
    await server.close();
  } finally {
    await opened.close();
  }
}

/** How many rows the page asks for first. The API reads one more, to know whether there are more. */
const FIRST_ROWS = 100;

export function warnOfExposure(host: string, what = "read every history"): void {
  process.stderr.write(
    `Bound to ${host}: everyone who can reach this machine there can now ${what}, without a password.\n`,
  );
}

/** The second signal is not waited for: it ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
