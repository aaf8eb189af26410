import { timedOut } from "./database-errors.js";
import type { PostgresClient } from "./driver.js";

/** A row as the server writes it: text, or nothing. */
export type Row = { readonly [column: string]: string | null };

/** Runs a statement on a connection. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const TYPES = { getTypeParser: () => (text: string) => text };

/** A connection while it is in use. A statement that takes too long, or whose reader has gone, costs the connection. */
export class Lease {
  readonly #client: PostgresClient;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #cancel: (pid: number, statement: string) => Promise<void>;
  #failed = false;

  constructor(
    client: PostgresClient,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    cancel: (pid: number, statement: string) => Promise<void>,
  ) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    this.#cancel = cancel;
    client.on("error", this.#onError);
  }

  /** A connection that breaks between two statements says so in an event; nobody listening would end the process. */
  readonly #onError = (): void => this.fail();

  /** @param name by which the server is to keep the statement prepared */
  async query(text: string, values: readonly unknown[] = [], name?: string): Promise<readonly Row[]> {
    const signal = this.#signal;
    signal?.throwIfAborted();
    let stop = (_reason: unknown) => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = reject;
    });
    const leave = () => stop(signal?.reason);
    const timer = setTimeout(() => stop(timedOut(this.#timeoutMs)), this.#timeoutMs);
    signal?.addEventListener("abort", leave, { once: true });
    const statement = { text, values: [...values], types: TYPES };
    const running = this.#client.query(name === undefined ? statement : { ...statement, name });
    let isStopped = true;
    const ended = running.finally(() => {
      isStopped = false;
    });
    try {
      return (await Promise.race([ended, stopped])).rows as readonly Row[];
    } catch (error) {
      if (isStopped) this.#abandon(ended, text);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      // A listener that was removed still hangs on the next one; through this it would hold the rows of all of them.
      stop = () => {};
    }
  }

  /** The connection is to be closed, not given back. */
  fail(): void {
    this.#failed = true;
  }

  recover(): void {
    this.#failed = false;
  }

  end(): void {
    this.#client.removeListener("error", this.#onError);
    this.#client.release(this.#failed);
  }

  #abandon(running: Promise<unknown>, text: string): void {
    this.#failed = true;
    running.catch(() => {}); // it ends with the connection; who asked was told already
    const pid = this.#client.processID;
    // The connection is closed in any case. A server that cannot be asked to cancel ends the statement when it notices.
    if (typeof pid === "number") this.#cancel(pid, text).catch(() => {});
  }
}
