/** A piece of a text. */
export interface CutText {
  readonly text: string;
  /** How many characters were left out before and behind it. */
  readonly cutBefore: number;
  readonly cutBehind: number;
}

const MOST_CHARACTERS = 4_000;
/** How much of what both say is shown before they differ. */
const CHARACTERS_BEFORE = 500;

/** Two texts, each from a little before the place where they differ. */
export function cutAtDifference(a: string, b: string): readonly [CutText, CutText] {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  const longest = Math.max(a.length, b.length);
  const from = longest <= MOST_CHARACTERS ? 0 : Math.max(0, same - CHARACTERS_BEFORE);
  return [cutFrom(a, from), cutFrom(b, from)];
}

function cutFrom(whole: string, at: number): CutText {
  // Half of a surrogate pair is no character.
  const from = isLowSurrogate(whole, at) ? at - 1 : at;
  const end = from + MOST_CHARACTERS;
  const to = isLowSurrogate(whole, end) ? end - 1 : end;
  return { text: whole.slice(from, to), cutBefore: from, cutBehind: Math.max(0, whole.length - to) };
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}
