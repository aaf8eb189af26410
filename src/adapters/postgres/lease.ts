import { timedOut } from "./database-errors.js";
import type { CopyOut, PostgresClient, PostgresConnection } from "./driver.js";

/** A row as the server writes it: text, or nothing. */
export type Row = { readonly [column: string]: string | null };

/** Runs a statement on a connection. */
export type RunQuery = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const TYPES = { getTypeParser: () => (text: string) => text };

/** A connection while it is in use. It is closed after a statement that took too long, or whose reader left. */
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

  /** A connection that breaks between two statements emits an error, which would end the process without a listener. */
  readonly #onError = (): void => this.fail();

  /** @param name the name under which the server stores the prepared statement */
  async query(text: string, values: readonly unknown[] = [], name?: string): Promise<readonly Row[]> {
    const statement = { text, values: [...values], types: TYPES };
    const { rows } = await this.#run(text, () =>
      this.#client.query(name === undefined ? statement : { ...statement, name }),
    );
    return rows as readonly Row[];
  }

  /** True if the driver accepts submittables. */
  get canCopy(): boolean {
    const { connection } = this.#client;
    return typeof (connection as Partial<PostgresConnection> | undefined)?.query === "function";
  }

  copy(copy: CopyOut): Promise<readonly (Buffer | undefined)[]> {
    return this.#run(copy.text, () => {
      // The driver returns a submittable instead of a promise.
      (this.#client as unknown as { query(copy: CopyOut): unknown }).query(copy);
      return copy.row;
    });
  }

  /** Waits for a statement, until it takes too long or its reader leaves. */
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
      // The engine may keep a removed listener for a while; through this function it would keep the statement's rows.
      stop = () => {};
    }
  }

  /** Marks the connection to be closed, not returned to the pool. */
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
    running.catch(() => {}); // it fails with the connection; its reader has its error already
    const pid = this.#client.processID;
    // The connection is closed in any case; without a cancellation the server ends the statement when it notices that.
    if (typeof pid === "number") this.#cancel(pid, text).catch(() => {});
  }
}
