import { settledBy } from "../../../application/threads/settled-by.js";

/** Time for which reading continues after the last answer that needed it, in milliseconds: a repeated request finds more data. */
const PATIENCE_MS = 2_000;

/** Amount of work at a time: requests made meanwhile come next. */
export interface Portion {
  readonly sessions: number;
  /** Of their files. */
  readonly bytes: number;
}

const READ_AT_A_TIME: Portion = { sessions: 512, bytes: 64 * 1024 * 1024 };

/**
 * Reads sessions for waiting answers, one portion after the other. The latest request comes first, so that nobody waits for the sessions
 * of others. Reading continues between two answers, so that no thread is idle while an answer is computed. It ends soon after the last
 * answer.
 */
export class ReadingQueue<Session extends { readonly bytes: number }> {
  readonly #isReady: (session: Session) => boolean;
  readonly #read: (portion: readonly Session[]) => Promise<void>;
  readonly #most: Portion;
  #due: readonly Session[] = [];
  #portion: Promise<void> | undefined;
  #until = 0;

  /**
   * @param read reads some of them; each is available as soon as it is read
   * @param most default is the limit for reading their files
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
   * Waits until some sessions are read, but no longer than `budgetMs`.
   *
   * @throws what their reading throws, where it does so meanwhile
   */
  async wait(sessions: readonly Session[], budgetMs: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + budgetMs;
    this.#until = until + PATIENCE_MS;
    const asked = new Set(sessions);
    this.#due = [...sessions, ...this.#due.filter((one) => !asked.has(one))];
    while (sessions.some((one) => !this.#isReady(one))) {
      this.#portion ??= this.#begin();
      if (this.#portion === undefined || !(await settledBy(until, this.#portion, signal))) return;
    }
  }

  /** Begins the next portion; each portion begins the one after it. */
  #begin(): Promise<void> | undefined {
    const portion = this.#take();
    if (portion.length === 0) return undefined;
    const reading = this.#read(portion).finally(() => {
      this.#portion = undefined;
    });
    const goOn = () => {
      if (performance.now() <= this.#until) this.#portion ??= this.#begin();
    };
    reading.then(goOn, () => undefined); // Waiting callers get the error; later callers read again.
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
