import { hash53 } from "../../../domain/text/fingerprints.js";

export type TextSource = "item" | "event";

/** Maximum number of remembered texts, compared characters per text, and characters read for these. */
const MOST = 64;
const MOST_LENGTH = 2_048;
const MOST_READ = 4 * MOST_LENGTH;

/** Matches texts that records of both kinds report, in either order. Ignores white space. */
export class RecentTexts {
  readonly #told = new Map<number, { by: TextSource; times: number }>();

  isRepeated(by: TextSource, text: string): boolean {
    const key = hash53(text.slice(0, MOST_READ).replace(/\s+/g, "").slice(0, MOST_LENGTH));
    const reported = this.#told.get(key);
    if (reported !== undefined && reported.by !== by) {
      if (--reported.times === 0) this.#told.delete(key);
      return true;
    }
    if (reported !== undefined) reported.times++;
    else this.#told.set(key, { by, times: 1 });
    if (this.#told.size > MOST) this.#told.delete(this.#told.keys().next().value!);
    return false;
  }
}
