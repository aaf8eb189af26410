import type { SessionKey } from "../ports/session-store.js";

/** How many turns a session has, as far as is known. */
export class SessionTurns {
  readonly #onCount: (count: number) => void;
  #before: number;
  #added = 0;
  #isKnown: boolean;

  /** @param before those that others recorded; a guess, unless that is known */
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

  /** Whether none was recorded before the session was opened here. */
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

/** Of so many sessions it is remembered how many turns they had. */
const MOST_SESSIONS = 1_000;

/** How many turns the sessions had that were recorded in lately: a guess where the store does not answer. */
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
