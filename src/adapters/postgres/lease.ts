import { timedOut } from "./database-errors.js";
import type { CopyOut, PostgresClient, PostgresConnection } from "./driver.js";

export type Row = { readonly [column: string]: string | null };

export type RunQuery = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const TYPES = { getTypeParser: () => (text: string) => text };

/** A connection in use. It is closed after a statement that took too long, or whose reader left. */
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

  /** A connection that breaks between statements emits an error, which would end the process without a listener. */
  readonly #onError = (): void => this.fail();

  async query(text: string, values: readonly unknown[] = [], name?: string): Promise<readonly Row[]> {
    const statement = { text, values: [...values], types: TYPES };
    const { rows } = await this.#run(text, () =>
      this.#client.query(name === undefined ? statement : { ...statement, name }),
    );
    return rows as readonly Row[];
  }

  get canCopy(): boolean {
    const { connection } = this.#client;
    return typeof (connection as Partial<PostgresConnection> | undefined)?.query === "function";
  }

  copy(copy: CopyOut): Promise<readonly (Buffer | undefined)[]> {
    return this.#run(copy.text, () => {
      (this.#client as unknown as { query(copy: CopyOut): unknown }).query(copy);
      return copy.row;
    });
  }

  async #run<T>(text: string, start: () => Promise<T>): Promise<T> {
    const signal = this.#signal;
    signal?.throwIfAborted();
    let stop = (_reason: unknown) => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = reject;
    });
    const leave = () => stop(signal?.reason);
    const timer = setTimeout(() => stop(timedOut(this.#timeoutMs)), this.#timeoutMs);
    signal?.addEventListener("abort", leave, { once: true });
    const running = start();
    let isStopped = true;
    const ended = running.finally(() => {
      isStopped = false;
    });
    try {
      return await Promise.race([ended, stopped]);
    } catch (error) {
      if (isStopped) this.#abandon(ended, text);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      // The engine may hold a removed listener for a while, and through it the statement's rows.
      stop = () => {};
    }
  }

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
    running.catch(() => {}); // It fails with the connection, and its reader already has the error.
    const pid = this.#client.processID;
    // Without a cancellation the server ends the statement when it notices the closed connection.
    if (typeof pid === "number") this.#cancel(pid, text).catch(() => {});
  }
}
