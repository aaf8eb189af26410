/** A regular expression takes too long in one record. */
export class SlowPatternError extends Error {
  override readonly name = "SlowPatternError";

  constructor() {
    super("the regular expression takes too long in such texts");
  }
}

/** Time limit for one match in a long text, in milliseconds: nothing else runs in the thread meanwhile. */
const MATCH_MS = 1_000;

/** Number of characters read between two checks of the clock. */
const READ_AT_ONCE = 256;

/**
 * A text that the engine reads character by character, and that stops a match which takes too long. The engine itself only stops after a
 * match, or at the end of the text.
 */
export class WatchedText extends String {
  #left = READ_AT_ONCE;
  #until = 0;

  /** Begins the time of one match. */
  begin(): void {
    this.#until = performance.now() + MATCH_MS;
  }

  /** @throws SlowPatternError when the time is over */
  override charCodeAt(at: number): number {
    if (--this.#left === 0) {
      this.#left = READ_AT_ONCE;
      if (performance.now() > this.#until) throw new SlowPatternError();
    }
    return super.charCodeAt(at);
  }
}
