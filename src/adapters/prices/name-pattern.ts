/** A name in which `*` stands for any text, whatever its case. It is no regular expression, so that no name can make it slow. */
export class NamePattern {
  readonly #parts: readonly string[];

  constructor(pattern: string) {
    this.#parts = pattern.toLowerCase().split("*");
  }

  /** How much it says: a name without `*` more than any other. */
  get weight(): number {
    const characters = this.#parts.reduce((sum, part) => sum + part.length, 0);
    return this.#parts.length === 1 ? Number.POSITIVE_INFINITY : characters;
  }

  fits(name: string): boolean {
    const text = name.toLowerCase();
    const [first = "", ...others] = this.#parts;
    const last = others.pop();
    if (last === undefined) return text === first;
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at <= end;
  }
}
