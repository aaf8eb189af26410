const LONGEST = 128;
const MOST = 50_000;

/** Caches results of frequent texts, such as names of members: these are most of a history. */
export class ShortTexts<T> {
  readonly #values = new Map<string, T>();

  get(text: string): T | undefined {
    return text.length > LONGEST ? undefined : this.#values.get(text);
  }

  set(text: string, value: T): void {
    if (text.length > LONGEST) return;
    if (this.#values.size >= MOST) this.#values.clear();
    this.#values.set(text, value);
  }

  clear(): void {
    this.#values.clear();
  }
}
