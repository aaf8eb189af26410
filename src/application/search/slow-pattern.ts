export class SlowPatternError extends Error {
  override readonly name = "SlowPatternError";

  constructor() {
    super("the regular expression takes too long in such texts");
  }
}

/** In milliseconds: nothing else runs in the thread during a match. */
const MATCH_MS = 1_000;

const READ_AT_ONCE = 256;

/** Stops a match that takes too long. The engine reads the text by characters, and itself stops only after a match or at the end. */
export class WatchedText extends String {
  #left = READ_AT_ONCE;
  #until = 0;

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
