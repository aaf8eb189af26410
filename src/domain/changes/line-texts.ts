import { textLines } from "./file-change.js";
import { lineKey, lineTokens, lineWeight } from "./line-keys.js";

const MOST_TEXTS = 64;

interface LineOccurrences {
  readonly text: string;
  key?: string;
  weight?: number;
  tokens?: readonly string[];
}

export function sameEnds(
  before: readonly (string | { readonly text: string })[],
  after: readonly string[],
): { readonly start: number; readonly same: number } {
  const most = Math.min(before.length, after.length);
  const isSame = (a: number, b: number) => {
    const line = before[a]!;
    return (typeof line === "string" ? line : line.text) === after[b];
  };
  let [start, same] = [0, 0];
  while (start < most && isSame(start, start)) start++;
  while (same < most - start && isSame(before.length - 1 - same, after.length - 1 - same)) same++;
  return { start, same };
}

/** Interns lines, because the edits of a file repeat them. */
export class LineTexts {
  readonly #occurrences = new Map<string, LineOccurrences>();
  readonly #linesOf = new Map<string, readonly string[]>();

  /**
   * Equal lines are one string across all texts, so a comparison reads no characters again. Complete texts are cached, too.
   * @param before lines of a text with probably the same start and end: a comparison by position costs less than a lookup
   */
  lines(text: string, before: readonly { readonly text: string }[]): readonly string[] {
    const cached = this.#linesOf.get(text);
    if (cached !== undefined) return cached;
    const lines = textLines(text);
    const { start, same } = sameEnds(before, lines);
    for (let i = 0; i < start; i++) lines[i] = before[i]!.text;
    for (let i = 1; i <= same; i++) lines[lines.length - i] = before[before.length - i]!.text;
    for (let i = start; i < lines.length - same; i++) lines[i] = this.#of(lines[i]!).text;
    if (this.#linesOf.size >= MOST_TEXTS) this.#linesOf.delete(this.#linesOf.keys().next().value!);
    this.#linesOf.set(text, lines);
    return lines;
  }

  /** Cached {@link lineKey}. */
  key(text: string): string {
    const occurrences = this.#of(text);
    occurrences.key ??= lineKey(text);
    return occurrences.key;
  }

  /** Cached {@link lineWeight}. */
  weight(text: string): number {
    const occurrences = this.#of(text);
    occurrences.weight ??= lineWeight(text);
    return occurrences.weight;
  }

  /** Cached {@link lineTokens}. */
  tokens(text: string): readonly string[] {
    const occurrences = this.#of(text);
    occurrences.tokens ??= lineTokens(text);
    return occurrences.tokens;
  }

  #of(text: string): LineOccurrences {
    const cached = this.#occurrences.get(text);
    if (cached !== undefined) return cached;
    const occurrences = { text };
    this.#occurrences.set(text, occurrences);
    return occurrences;
  }
}
