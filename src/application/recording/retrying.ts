/** Each delay is twice the previous one, up to the longest. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

export interface Attempt {
  /**
   * @param isAnswered true if the store answered, even with a rejection
   * @returns true for the first attempt that reveals an absent store
   */
  end(isAnswered: boolean): boolean;
}

export class Retrying {
  readonly #onDue: () => void;
  #delayMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probe: Attempt | undefined;
  #keepsAlive = false;

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

  keepAlive(holdsProcess: boolean): void {
    this.#keepsAlive = holdsProcess;
    // In some runtimes timers are numbers.
    if (holdsProcess) this.#timer?.ref?.();
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
