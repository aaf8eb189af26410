import type { Readable, Writable } from "node:stream";
import { wrapped } from "./text-width.js";

export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  once(signal: StopSignal, listener: () => void): unknown;
}

type StopSignal = (typeof STOP_SIGNALS)[number];

export type Ending = number | StopSignal;

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A second signal of the same name ends the process at once. */
function onStop(terminal: Terminal, stop: (signal: StopSignal) => void): void {
  for (const signal of STOP_SIGNALS) terminal.once(signal, () => stop(signal));
}

export function stopSignal(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => onStop(terminal, () => resolve()));
}

export const STOPPED = "Stopped. Repeat the command to continue from here.";

const GRACE_MS = 1_000;

/**
 * Aborts the work at the first signal, and ends soon even if the work does not.
 * @returns the result of the work, or the signal
 */
export async function untilStopped(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<Ending>,
): Promise<Ending> {
  const stop = new AbortController();
  let stoppedBy: StopSignal | undefined;
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<Ending>((resolve) =>
    onStop(terminal, (signal) => {
      stoppedBy ??= signal;
      timer ??= setTimeout(resolve, GRACE_MS, signal);
      stop.abort();
    }),
  );
  try {
    const ending = await Promise.race([work(stop.signal), overdue]);
    return stoppedBy ?? ending;
  } catch (error) {
    if (stoppedBy === undefined) throw error;
    return stoppedBy;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits until standard output accepts the text: a slow reader slows the reading. A missing reader is not an error.
 * @throws the signal's reason once it is aborted: also soon after the reader is gone
 */
export function print({ stdout }: Terminal, text: string | Uint8Array, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error && !isReaderGone(error) ? reject(error) : resolve()));
  });
}

export function printText(terminal: Terminal, text: string, signal: AbortSignal): Promise<void> {
  const { columns } = terminal.stdout;
  return print(terminal, columns === undefined ? text : wrapped(text, columns), signal);
}

export function isReaderGone(error: unknown): boolean {
  return codeOf(error) === "EPIPE";
}

export const NOTHING_MATCHED = 1;
export const FAILED = 2;

/** Its message is one line with a remedy. It ends the process without a stack. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  readonly exitCode: number;

  constructor(
    message: string,
    { exitCode = FAILED, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/**
 * @param explain returns the message for an error; `undefined` for an unexpected one
 * @throws CommandLineError for an error with a message
 */
export async function orExplain<T>(
  work: () => Promise<T> | T,
  explain: (error: unknown) => string | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = explain(error);
    throw message === undefined ? error : new CommandLineError(message, { cause: error });
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
