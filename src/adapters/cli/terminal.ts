import type { Readable, Writable } from "node:stream";
import { wrapped } from "./text-width.js";

/** Destination of text: a terminal, a file or a pipe. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  /** Width of a terminal, in characters. */
  readonly columns?: number;
}

/** Output streams and stop signals of a command: its process. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Input for a person's answers. Absent if nobody can answer. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  once(signal: StopSignal, listener: () => void): unknown;
}

type StopSignal = (typeof STOP_SIGNALS)[number];

/** End of a process: an exit code, or the signal that stopped it. */
export type Ending = number | StopSignal;

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Calls back at the first signal of each name. The next one is not waited for: it ends the process at once. */
function onStop(terminal: Terminal, stop: (signal: StopSignal) => void): void {
  for (const signal of STOP_SIGNALS) terminal.once(signal, () => stop(signal));
}

export function stopSignal(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => onStop(terminal, () => resolve()));
}

/** Printed by a work that a second call of the same command continues. */
export const STOPPED = "Stopped. The same command goes on from here.";

/** Maximum time for cleaning up after a signal, in milliseconds. */
const GRACE_MS = 1_000;

/**
 * Runs a work that the first signal aborts. It ends within a moment, also where the work does not.
 *
 * @returns what the work returns, or the signal
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
 * Writes to standard output, and waits until that is taken: a slow reader holds up the reading. A reader that is gone is no error.
 *
 * @throws the signal's reason once it is aborted: also soon after the reader is gone
 */
export function print({ stdout }: Terminal, text: string | Uint8Array, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error && !isReaderGone(error) ? reject(error) : resolve()));
  });
}

/** The same for people: its lines fit the terminal. */
export function printText(terminal: Terminal, text: string, signal: AbortSignal): Promise<void> {
  const { columns } = terminal.stdout;
  return print(terminal, columns === undefined ? text : wrapped(text, columns), signal);
}

/** True if an error of an output means that its pipe is closed. */
export function isReaderGone(error: unknown): boolean {
  return codeOf(error) === "EPIPE";
}

/** Exit codes besides 0 and those of signals. docs/command-line.md has all of them. */
export const NOTHING_MATCHED = 1;
export const FAILED = 2;

/** A wrong call of the command, or something that it cannot do: one line with what to do instead. It ends the process without a stack. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  readonly exitCode: number;

  /** @param options `exitCode` is {@link FAILED} by default */
  constructor(
    message: string,
    { exitCode = FAILED, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/**
 * Returns the result of the work.
 *
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

/** The code of an error of the system: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
