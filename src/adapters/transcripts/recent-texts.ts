import { hash53 } from "./hash53.js";

/** How many texts are remembered that were told once. */
const MOST = 64;

/** Finds texts that records of two kinds both tell, whichever comes first. White space does not tell texts apart. */
export class RecentTexts {
  /** By kind and text, how often it was told. */
  readonly #told = new Map<string, number>();

  /** Whether a record of the other kind told the text already, so that this one repeats it. */
  isRepeated(by: "item" | "event", text: string): boolean {
    const key = hash53(text.replace(/\s+/g, ""));
    const others = `${by === "item" ? "event" : "item"} ${key}`;
    const times = this.#told.get(others) ?? 0;
    if (times > 1) this.#told.set(others, times - 1);
    else this.#told.delete(others);
    if (times > 0) return true;
    const own = `${by} ${key}`;
    this.#told.set(own, (this.#told.get(own) ?? 0) + 1);
    if (this.#told.size > MOST) this.#told.delete(this.#told.keys().next().value!);
    return false;
  }
}
