import type { SessionKey } from "../ports/session-store.js";

/** Number of turns of a session, as far as the recorder can tell. */
export class SessionTurns {
  readonly #onCount: (count: number) => void;
  #before: number;
  #added = 0;
  #isKnown: boolean;

  /** @param before number of turns that others recorded; a guess, unless `isKnown` is true */
  constructor(before: number, isKnown: boolean, onCount: (count: number) => void) {
    this.#before = before;
    this.#isKnown = isKnown;
    this.#onCount = onCount;
  }

  get count(): number {
    return this.#before + this.#added;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** True if no turn was recorded before the session was opened here. */
  get isFirst(): boolean {
    return this.#isKnown && this.#before === 0;
  }

  /** @param before how many there were before any was added here */
  learn(before: number): void {
    this.#before = before;
    this.#isKnown = true;
    this.#onCount(this.count);
  }

  /** @returns the index of the turn that is added */
  add(): number {
    const index = this.count;
    this.#added++;
    this.#onCount(this.count);
    return index;
  }
}

/** Maximum number of sessions whose turn count is remembered. */
const MOST_SESSIONS = 1_000;

/** Turn counts of recently recorded sessions: a guess if the store does not answer. */
export class KnownTurns {
  readonly #counts = new Map<string, number>();

  /** @param isNew whether nobody else can know the session */
  of({ tenantId, sessionId }: SessionKey, isNew: boolean): SessionTurns {
    const key = `${tenantId}\0${sessionId}`;
    return new SessionTurns(this.#counts.get(key) ?? 0, isNew, (count) => {
      this.#counts.delete(key);
      this.#counts.set(key, count);
      if (this.#counts.size > MOST_SESSIONS) this.#counts.delete(this.#counts.keys().next().value!);
    });
  }
}
