/**
 * Removes everything that formatters change: white space, kinds of quotes, commas and semicolons at the end.
 * @example lineKey('  return "a" ;') === lineKey("return 'a'") // true
 */
export function lineKey(text: string): string {
  return text
    .replace(/\s+/g, "")
    .replace(/["`]/g, "'")
    .replace(/(?<![,;])[,;]+$/, "");
}

const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    "if else elif elsif for foreach while do done end fi esac case switch default break continue return try catch except finally raise throw " +
    "pass def fn func function fun class struct enum interface type trait impl module begin then in of is not and or let const var val mut static " +
    "final public private protected export import from as use using new this self super true false null nil none undefined void int string bool " +
    "boolean async await yield with err error ok div span p ul li br hr"
  ).split(" "),
);

export function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word.toLowerCase());
}

const WORDS = /[\p{L}\p{N}_$]+/gu;

/**
 * Weight as evidence for an author: number of letters in words, without words that occur in all code.
 * @example lineWeight("} else {") // 0
 */
export function lineWeight(text: string): number {
  let weight = 0;
  for (const [word] of text.matchAll(WORDS)) {
    if (!isCommonWord(word)) weight += word.length;
  }
  return weight;
}

/** A single lighter line is no evidence. */
export const LEAST_WEIGHT = 4;

export function lineTokens(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+|[^\s"'`,;()\\\p{L}\p{N}_$]/gu) ?? [];
}

/** Such a line belongs to the lines above. */
export function isClosing(text: string): boolean {
  return /^\s*(?:[}\])>]|end\b|fi\b|done\b|esac\b|<\/)/.test(text);
}
