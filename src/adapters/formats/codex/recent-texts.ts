import { hash53 } from "../../../domain/text/fingerprints.js";

export type TextSource = "item" | "event";

/** Maximum number of remembered texts, compared characters per text, and characters read for these. */
const MOST = 64;
const MOST_LENGTH = 2_048;
const MOST_READ = 4 * MOST_LENGTH;

/** Matches texts that records of both kinds report, in either order. Ignores white space. */
export class RecentTexts {
  readonly #texts = new Map<number, { by: TextSource; times: number }>();

  isRepeated(by: TextSource, text: string): boolean {
    const key = hash53(text.slice(0, MOST_READ).replace(/\s+/g, "").slice(0, MOST_LENGTH));
    const reported = this.#texts.get(key);
    if (reported !== undefined && reported.by !== by) {
      if (--reported.times === 0) this.#texts.delete(key);
      return true;
    }
    if (reported !== undefined) reported.times++;
    else this.#texts.set(key, { by, times: 1 });
    if (this.#texts.size > MOST) this.#texts.delete(this.#texts.keys().next().value!);
    return false;
  }
}
