const LONGEST = 128;
const MOST = 50_000;

/** Caches results of frequent texts, such as names of members: these are most of a history. */
export class ShortTexts<T> {
  readonly #known = new Map<string, T>();

  get(text: string): T | undefined {
    return text.length > LONGEST ? undefined : this.#known.get(text);
  }

  set(text: string, value: T): void {
    if (text.length > LONGEST) return;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(text, value);
  }

  clear(): void {
    this.#known.clear();
  }
}
