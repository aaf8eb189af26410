import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { ThreadPool } from "../../adapters/files/threads/thread-pool.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import { createOtlpDataSource } from "../otlp-data-source.js";
import { createOtlpReceiver } from "../otlp-receiver.js";
import { CommandLineError } from "./command-line-error.js";
import { openBrowser } from "./open-browser.js";
import { shortened } from "./open-source.js";
import { pricesIn } from "./price-file.js";
import { type ShowOptions, stopSignal, warnOfExposure } from "./run.js";
import { type RunningServer, serve } from "./serve.js";
import { apiWithUi } from "./served-app.js";
import { isLoopback } from "./server-address.js";
import { countText, spanCount } from "./span-count.js";

export interface CollectOptions extends ShowOptions {
  /** Where the spans are kept. */
  readonly data: string;
  readonly uiPort: number;
}

/** How long requests that are under way may take when the process is told to stop, in milliseconds. */
const GRACE_MS = 5_000;

/** Receives spans, keeps them in a folder and shows them, until a signal stops the process. */
export async function collectSpans(options: CollectOptions): Promise<void> {
  const directory = path.resolve(options.data);
  await makeFolder(directory, options.data);
  const pool = new ThreadPool(availableParallelism(), "keeping");
  pool.begin();
  try {
    await collectUntilStopped(directory, pool, options);
  } finally {
    await pool.close();
  }
}

async function collectUntilStopped(
  directory: string,
  pool: ReadingPool,
  options: CollectOptions,
): Promise<void> {
  const { host, port, uiPort, open } = options;
  const stopped = stopSignal();
  const prices = await pricesIn(options);
  const count = spanCount(process.stderr);
  const receiver = createOtlpReceiver({ directory, onReceived: count.add });
  const source = createOtlpDataSource({ directory, pool });
  const servers: RunningServer[] = [];
  try {
    const receiving = await serve(receiver.app, { host, port });
    servers.push(receiving);
    const page = await serve(apiWithUi(source, { pool, prices }), {
      host,
      port: uiPort,
      portOption: "--ui-port",
    });
    servers.push(page);
    process.stdout.write(
      [
        `Receiving spans: ${receiving.address}v1/traces`,
        "Set where your agent runs:",
        `  OTEL_EXPORTER_OTLP_ENDPOINT=${receiving.address.replace(/\/$/, "")}`,
        "  OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
        `Keeping them in ${shortened(directory)}`,
        `Showing them: ${page.address}`,
        "",
      ].join("\n"),
    );
    if (!isLoopback(host)) warnOfExposure(host, "read every history and add spans");
    if (open && process.stdout.isTTY && !process.env.CI) openBrowser(page.address);
    await stopped;
  } finally {
    // What is being written is answered before its connection is closed.
    await receiver.close();
    await Promise.all(servers.map((server, i) => server.close(i === 0 ? GRACE_MS : 0)));
    await source.close?.();
    count.end();
  }
  process.stdout.write(farewell(count.spans, shortened(directory)));
}

function farewell(spans: number, folder: string): string {
  if (spans === 0) return "No spans came.\n";
  return `${countText(spans, "span")} came and ${spans === 1 ? "lies" : "lie"} in ${folder}. Show them again: agent-inspector ${folder}\n`;
}

async function makeFolder(directory: string, named: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandLineError(`The folder "${named}" cannot be made (${code}). Name another with --data.`, {
      cause: error,
    });
  }
}
