import { settledBy } from "../../../application/threads/settled-by.js";

/** Milliseconds of further reading after the last response: a repeated request then has more data. */
const PATIENCE_MS = 2_000;

/** Work at a time: new requests come next. */
export interface Portion {
  readonly sessions: number;
  readonly bytes: number;
}

const READ_AT_A_TIME: Portion = { sessions: 512, bytes: 64 * 1024 * 1024 };

/**
 * Reads sessions in portions; the latest request has priority. Reading continues between two responses, so that no thread is idle, and
 * ends soon after the last one.
 */
export class ReadingQueue<Session extends { readonly bytes: number }> {
  readonly #isReady: (session: Session) => boolean;
  readonly #read: (portion: readonly Session[]) => Promise<void>;
  readonly #most: Portion;
  #due: readonly Session[] = [];
  #portion: Promise<void> | undefined;
  #until = 0;

  /**
   * @param read each session is available as soon as it is read
   * @param most default is the limit for reading files
   */
  constructor(
    isReady: (session: Session) => boolean,
    read: (portion: readonly Session[]) => Promise<void>,
    most = READ_AT_A_TIME,
  ) {
    this.#isReady = isReady;
    this.#read = read;
    this.#most = most;
  }

  /**
   * Waits at most `budgetMs`.
   * @throws errors of the reading in this time
   */
  async wait(sessions: readonly Session[], budgetMs: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + budgetMs;
    this.#until = until + PATIENCE_MS;
    const requested = new Set(sessions);
    this.#due = [...sessions, ...this.#due.filter((one) => !requested.has(one))];
    while (sessions.some((one) => !this.#isReady(one))) {
      this.#portion ??= this.#begin();
      if (this.#portion === undefined || !(await settledBy(until, this.#portion, signal))) return;
    }
  }

  /** Each portion begins the next one. */
  #begin(): Promise<void> | undefined {
    const portion = this.#take();
    if (portion.length === 0) return undefined;
    const reading = this.#read(portion).finally(() => {
      this.#portion = undefined;
    });
    const goOn = () => {
      if (performance.now() <= this.#until) this.#portion ??= this.#begin();
    };
    reading.then(goOn, () => undefined); // Waiting callers receive the error; later callers read again.
    return reading;
  }

  #take(): Session[] {
    const due = this.#due.filter((one) => !this.#isReady(one));
    let [sessions, bytes] = [0, 0];
    while (sessions < due.length && sessions < this.#most.sessions && bytes < this.#most.bytes)
      bytes += due[sessions++]!.bytes;
    this.#due = due.slice(sessions);
    return due.slice(0, sessions);
  }
}
