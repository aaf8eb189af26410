import type { Readable, Writable } from "node:stream";

/** Where text is written to: a terminal, a file or a pipe. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  /** How wide a terminal is, in characters. */
  readonly columns?: number;
}

/** What a command writes to, and is stopped by: its process. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** What a person answers on. Absent where nobody can be asked. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  once(signal: StopSignal, listener: () => void): unknown;
}

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** What a process ends with: an exit code, or the signal that stopped it. */
export type Ending = number | StopSignal;

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Calls back at the first signal of each name. The next one is not waited for: it ends the process at once. */
export function onStop(terminal: Terminal, stop: (signal: StopSignal) => void): void {
  for (const signal of STOP_SIGNALS) terminal.once(signal, () => stop(signal));
}

export function stopSignal(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => onStop(terminal, () => resolve()));
}

/** Writes to standard output, and waits until that is taken: a slow reader holds up the reading. */
export function print({ stdout }: Terminal, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** A wrong call of the command: one line with what to do instead. It ends the process without a stack. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  /** What the process ends with. */
  readonly exitCode: number;

  constructor(
    message: string,
    { exitCode = 1, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/**
 * What a work gives.
 *
 * @param explain what to say of an error; `undefined` for one that nobody expected
 * @throws CommandLineError for an error that is explained
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
