import { settledBy } from "../../../application/threads/settled-by.js";

/** For how long reading goes on behind the last answer that it was for, in milliseconds: whoever asks again finds more. */
const PATIENCE_MS = 2_000;

/** How much is done at a time: what is asked for meanwhile comes next. */
export interface Portion {
  readonly sessions: number;
  /** Of their files. */
  readonly bytes: number;
}

const READ_AT_A_TIME: Portion = { sessions: 512, bytes: 64 * 1024 * 1024 };

/**
 * The sessions that answers wait for a part of, read one portion after the other: what was asked for last comes first, so that nobody waits
 * for the sessions of others. It goes on between two answers, so that no thread is idle while one is added up, and ends soon after the
 * last one.
 */
export class ReadingQueue<Session extends { readonly bytes: number }> {
  readonly #isReady: (session: Session) => boolean;
  readonly #read: (portion: readonly Session[]) => Promise<void>;
  readonly #most: Portion;
  #due: readonly Session[] = [];
  #portion: Promise<void> | undefined;
  #until = 0;

  /**
   * @param read reads some of them; each is known as soon as it is read
   * @param most default is what reading their files allows
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

  /** Begins the next portion; each begins the one behind it. */
  #begin(): Promise<void> | undefined {
    const portion = this.#take();
    if (portion.length === 0) return undefined;
    const reading = this.#read(portion).finally(() => {
      this.#portion = undefined;
    });
    const goOn = () => {
      if (performance.now() <= this.#until) this.#portion ??= this.#begin();
    };
    reading.then(goOn, () => undefined); // whoever waits is told; who asks later reads again
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
