const LONGEST = 128;
const MOST = 50_000;

/** Texts that come again and again, such as names of members, with what is known of them: most of a history are a few of them. */
export class ShortTexts<T> {
  readonly #known = new Map<string, T>();

  get(text: string): T | undefined {
    return text.length > LONGEST ? undefined : this.#known.get(text);
  }

  set(text: string, known: T): void {
    if (text.length > LONGEST) return;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(text, known);
  }

  clear(): void {
    this.#known.clear();
  }
}
