import { hash53 } from "./hash53.js";

/** How many texts are remembered that were said once. */
const MOST = 64;

/** Finds texts that two kinds of record both hold: which of them comes first is not known. */
export class RecentTexts {
  readonly #said = new Map<string, number>();

  /** Whether a record of another kind said the text, which this one repeats. */
  isRepeated(by: string, text: string): boolean {
    const key = hash53(text.trim());
    for (const [known, times] of this.#said) {
      const [kind, said] = known.split(" ");
      if (kind === by || said !== String(key)) continue;
      if (times > 1) this.#said.set(known, times - 1);
      else this.#said.delete(known);
      return true;
    }
    const own = `${by} ${key}`;
    this.#said.set(own, (this.#said.get(own) ?? 0) + 1);
    const [oldest] = this.#said.keys();
    if (this.#said.size > MOST) this.#said.delete(oldest!);
    return false;
  }
}
