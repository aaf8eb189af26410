/** The delay before a store that is away is tried again; each later one is twice as long, up to the longest. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/** A try to write to the store. */
export interface Attempt {
  /**
   * @param isAnswered true if the store has answered, even with a rejection
   * @returns true if this attempt is the first to show that the store is away
   */
  end(isAnswered: boolean): boolean;
}

/** Says when a store that is away is tried again: one attempt at a time, until it answers. */
export class Retrying {
  readonly #onDue: () => void;
  #delayMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The one attempt that is made while the store is away. */
  #probe: Attempt | undefined;
  #keepsAlive = false;

  /** @param onDue called when the store is to be tried again */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  get isAway(): boolean {
    return this.#delayMs > 0;
  }

  get mayTry(): boolean {
    return !this.isAway || (this.#timer === undefined && this.#probe === undefined);
  }

  begin(): Attempt {
    const attempt: Attempt = { end: (isAnswered) => this.#end(attempt, isAnswered) };
    if (this.isAway) this.#probe = attempt;
    return attempt;
  }

  /** Sets if the process stays alive until the next attempt, because a caller waits for it. */
  keepAlive(keepsAlive: boolean): void {
    this.#keepsAlive = keepsAlive;
    // In some runtimes timers are numbers, which keep nothing alive.
    if (keepsAlive) this.#timer?.ref?.();
    else this.#timer?.unref?.();
  }

  #end(attempt: Attempt, isAnswered: boolean): boolean {
    const wasAway = this.isAway;
    if (attempt === this.#probe) this.#probe = undefined;
    if (isAnswered) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#delayMs = 0;
    } else if (this.#timer === undefined && this.#probe === undefined) {
      this.#delayMs = wasAway ? Math.min(LONGEST_DELAY_MS, this.#delayMs * 2) : FIRST_DELAY_MS;
      this.#wait();
    }
    return !wasAway && !isAnswered;
  }

  #wait(): void {
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#onDue();
      },
      this.#delayMs * (0.5 + Math.random() / 2),
    );
    this.keepAlive(this.#keepsAlive);
  }
}
