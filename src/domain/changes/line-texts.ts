import { lineKey, lineTokens, lineWeight } from "./line-keys.js";

interface SaidByLine {
  readonly key: string;
  weight?: number;
  tokens?: readonly string[];
}

/** What lines say, looked at once each: edits of a file show the same lines again and again. */
export class LineTexts {
  readonly #known = new Map<string, SaidByLine>();

  /** As {@link lineKey} says it. */
  key(text: string): string {
    return this.#of(text).key;
  }

  /** As {@link lineWeight} says it. */
  weight(text: string): number {
    const said = this.#of(text);
    said.weight ??= lineWeight(text);
    return said.weight;
  }

  /** As {@link lineTokens} says it. */
  tokens(text: string): readonly string[] {
    const said = this.#of(text);
    said.tokens ??= lineTokens(text);
    return said.tokens;
  }

  #of(text: string): SaidByLine {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const said = { key: lineKey(text) };
    this.#known.set(text, said);
    return said;
  }
}
