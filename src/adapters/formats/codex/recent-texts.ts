import { hash53 } from "../../../domain/text/fingerprints.js";

/** Kind of a record: both kinds contain the same texts. */
export type Teller = "item" | "event";

/** Maximum number of remembered texts that were reported once, characters compared per text, and characters read to get them. */
const MOST = 64;
const MOST_LENGTH = 2_048;
const MOST_READ = 4 * MOST_LENGTH;

/** Finds texts that records of two kinds both tell, whichever comes first. White space does not tell texts apart. */
export class RecentTexts {
  /** By text: the kind of record that reported it, and the number of times. */
  readonly #told = new Map<number, { by: Teller; times: number }>();

  /** True if a record of the other kind already reported the text, so that this record repeats it. */
  isRepeated(by: Teller, text: string): boolean {
    const key = hash53(text.slice(0, MOST_READ).replace(/\s+/g, "").slice(0, MOST_LENGTH));
    const told = this.#told.get(key);
    if (told !== undefined && told.by !== by) {
      if (--told.times === 0) this.#told.delete(key);
      return true;
    }
    if (told !== undefined) told.times++;
    else this.#told.set(key, { by, times: 1 });
    if (this.#told.size > MOST) this.#told.delete(this.#told.keys().next().value!);
    return false;
  }
}
