import { visibleJson } from "../../../domain/text/visible-text.js";

/**
 * Invisible characters besides those of `visibleJson`: fillers, variation selectors (which can hide complete texts), halves of
 * characters, and joiners and selectors in sequences that no emoji has.
 */
const UNSEEN = new RegExp(
  "[\\u{34f}\\u{115f}\\u{1160}\\u{17b4}\\u{17b5}\\u{180b}-\\u{180d}\\u{180f}\\u{3164}\\u{ffa0}\\u{e0100}-\\u{e01ef}\\p{Cs}]" +
    "|[\\u{200c}\\u{200d}\\u{fe00}-\\u{fe0f}]{3,}",
  "gu",
);

/** Common start of all fences; the rest differs in each answer. */
export const FENCE = "untrusted-";

const FENCE_IN_TEXT = /<(?=\/?untrusted-)/gi;

/** Escapes hidden characters, and text that a hasty reader could mistake for a fence. The value does not change. */
export function quotedJson(json: string): string {
  return visibleJson(json).replace(UNSEEN, escaped).replace(FENCE_IN_TEXT, "\\u003c");
}

function escaped(characters: string): string {
  return characters
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The longest beginning that fits in quotes, with the number of omitted characters. */
export function quotedText(text: string, most: number): string {
  for (let length = Math.min(text.length, most); ; length = Math.floor(length / 2)) {
    const shortened = length === text.length ? text : `${text.slice(0, length)}…[+${text.length - length}]`;
    const quoted = quotedJson(JSON.stringify(shortened));
    if (quoted.length <= most + 20 || length === 0) return quoted;
  }
}
