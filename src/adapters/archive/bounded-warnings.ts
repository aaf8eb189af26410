import type { RecordWarning } from "../../application/ports/record-stream.js";
import { LONGEST_WARNING, MOST_WARNINGS } from "./archive-bounds.js";

/** After {@link MOST_WARNINGS} warnings, one more counts the rest. */
export class BoundedWarnings {
  readonly #warnings: RecordWarning[] = [];
  readonly #most: number;
  #count = 0;

  constructor(most: number = MOST_WARNINGS) {
    this.#most = most;
  }

  get list(): readonly RecordWarning[] {
    return this.#warnings;
  }

  add({ file, line, reason }: RecordWarning): void {
    this.#count++;
    const more = this.#count - this.#most;
    const text = more > 0 ? `and ${more} more warnings, which are skipped` : reason.slice(0, LONGEST_WARNING);
    this.#warnings[Math.min(this.#count - 1, this.#most)] = {
      file: file.slice(0, LONGEST_WARNING),
      line,
      reason: text,
    };
  }
}
