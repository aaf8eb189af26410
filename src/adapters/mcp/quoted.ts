import { visibleJson } from "../../domain/text/visible-text.js";

/**
 * Invisible characters besides those that `visibleJson` escapes. These are fillers, variation selectors (which can hide complete texts),
 * and halves of characters. Also joiners and selectors in sequences that no emoji has.
 */
const UNSEEN = new RegExp(
  "[\\u{34f}\\u{115f}\\u{1160}\\u{17b4}\\u{17b5}\\u{180b}-\\u{180d}\\u{180f}\\u{3164}\\u{ffa0}\\u{e0100}-\\u{e01ef}\\p{Cs}]" +
    "|[\\u{200c}\\u{200d}\\u{fe00}-\\u{fe0f}]{3,}",
  "gu",
);

/** Start of every fence, without the part that differs in each answer. */
export const FENCE = "untrusted-";

const FENCE_IN_TEXT = /<(?=\/?untrusted-)/gi;

/**
 * Returns JSON text that may be in a fence. Hidden characters, and text that a hasty reader could mistake for a fence, get JSON escapes.
 * The value does not change.
 */
export function quotedJson(json: string): string {
  return visibleJson(json).replace(UNSEEN, escaped).replace(FENCE_IN_TEXT, "\\u003c");
}

function escaped(characters: string): string {
  return characters
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The longest beginning of a text that takes no more characters than that when it is quoted, and how many characters that leaves out. */
export function quotedText(text: string, most: number): string {
  for (let length = Math.min(text.length, most); ; length = Math.floor(length / 2)) {
    const shown = length === text.length ? text : `${text.slice(0, length)}…[+${text.length - length}]`;
    const quoted = quotedJson(JSON.stringify(shown));
    if (quoted.length <= most + 20 || length === 0) return quoted;
  }
}
