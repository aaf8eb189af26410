import { keyText, type SessionKey } from "../../domain/session/session-key.js";

export class SessionTurns {
  readonly #onCount: (count: number) => void;
  #before: number;
  #added = 0;
  #isRegistered: boolean;

  /** @param before turns of others; a guess, unless `isRegistered` is true */
  constructor(before: number, hasCount: boolean, onCount: (count: number) => void) {
    this.#before = before;
    this.#isRegistered = hasCount;
    this.#onCount = onCount;
  }

  get count(): number {
    return this.#before + this.#added;
  }

  get hasCount(): boolean {
    return this.#isRegistered;
  }

  get isFirst(): boolean {
    return this.#isRegistered && this.#before === 0;
  }

  learn(before: number): void {
    this.#before = before;
    this.#isRegistered = true;
    this.#onCount(this.count);
  }

  add(): number {
    const index = this.count;
    this.#added++;
    this.#onCount(this.count);
    return index;
  }
}

const MOST_SESSIONS = 1_000;

export class RecordedTurns {
  readonly #counts = new Map<string, number>();

  /** @param isNew true if nobody else can have the session */
  of(session: SessionKey, isNew: boolean): SessionTurns {
    const key = keyText(session);
    return new SessionTurns(this.#counts.get(key) ?? 0, isNew, (count) => {
      this.#counts.delete(key);
      this.#counts.set(key, count);
      if (this.#counts.size > MOST_SESSIONS) this.#counts.delete(this.#counts.keys().next().value!);
    });
  }
}
