/**
 * Control characters (a terminal obeys them), direction marks, line separators, characters without width, and tags. Joiners stay (U+200C,
 * U+200D): scripts and emoji need them.
 */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Escapes invisible characters. Every untrusted quotation for people needs it: on a terminal, in errors and in logs.
 * @example visibleText("a\u202eb\n") // "a\\{202e}b\\u{a}"
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** Line feeds and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
}

/** The value of the JSON text is unchanged. */
export function visibleJson(json: string): string {
  return json.replace(HIDDEN, (character) =>
    character
      .split("")
      .map((unit) => `\\u${hex(unit.charCodeAt(0)).padStart(4, "0")}`)
      .join(""),
  );
}

function escaped(character: string): string {
  return `\\u{${hex(character.codePointAt(0)!)}}`;
}

const hex = (code: number) => code.toString(16);
