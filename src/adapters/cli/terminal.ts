import type { Writable } from "node:stream";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import type { Cost } from "../../domain/usage/money.js";

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

/** The code of an error of the system: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** What may not reach a terminal: control characters, and those that turn the direction of text. Each is one code unit. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text in one line, without anything that a terminal could take for a command. */
export function plainText(text: string): string {
  return text.replace(UNSAFE, "\ufffd");
}

/** JSON text in which what a terminal could take for a command is escaped, as JSON allows it. */
export function plainJson(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export const COUNT = new Intl.NumberFormat("en");

/** @example countText(1_500, "span") // "1,500 spans" */
export function countText(count: number, what: string): string {
  return `${COUNT.format(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** What is known of a cost; what has no price is said beside it. */
export function costText({ usd, unpricedCalls }: Cost): string {
  const money = usd > 0 && usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
  if (unpricedCalls === 0) return money;
  const unpriced = `${countText(unpricedCalls, "call")} without a price`;
  return usd === 0 ? unpriced : `${money} and ${unpriced}`;
}

/** @example durationText(83_000) // "1m 23s" */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
}

/** A session's name, and as much of its title. */
export function headingOf(
  { tenantId, sessionId, title, prompt }: InspectorSessionItem,
  width: number,
): string {
  return `${tenantId}/${sessionId}  ${(title ?? prompt ?? "").replace(/\s+/g, " ").slice(0, width)}`;
}

/** A line of a terminal that is written over itself. */
export function redrawn(text: string): string {
  return `\r${text}\u001b[K`;
}
