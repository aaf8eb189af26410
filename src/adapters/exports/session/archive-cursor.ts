import type { ArchiveLines } from "../../../application/ports/export.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import { yieldToEventLoop } from "../../../application/threads/slices.js";

/** Characters of skipped lines between two turns of the event loop. */
const PASSED_AT_ONCE = 64 * 1024;

/** Reads lines lazily. */
export class ArchiveCursor {
  readonly #batches: AsyncIterator<readonly string[]>;
  readonly #signal: AbortSignal | undefined;
  #batch: readonly string[] = [];
  #next = 0;
  #passed = 0;
  #line = "";

  constructor(lines: ArchiveLines, { signal }: ReadOptions) {
    this.#batches = lines[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** `""` before the first line and after the last. */
  get line(): string {
    return this.#line;
  }

  /** Kind of `ArchiveRecord`, from the first member: unneeded lines are not parsed. */
  get member(): string {
    return /^\{"([a-z]+)":/.exec(this.#line)?.[1] ?? "";
  }

  async move(): Promise<void> {
    this.#passed += this.#line.length;
    this.#line = "";
    if (this.#passed >= PASSED_AT_ONCE) {
      this.#passed = 0;
      await yieldToEventLoop();
      this.#signal?.throwIfAborted();
    }
    while (this.#next === this.#batch.length) {
      const { done, value } = await this.#batches.next();
      if (done) return;
      this.#batch = value;
      this.#next = 0;
    }
    this.#line = this.#batch[this.#next++]!;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}
