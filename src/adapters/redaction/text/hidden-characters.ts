import { TERMINAL_CODES } from "../../../domain/text/preview-text.js";
import type { Reading } from "./text-view.js";

/** Zero width, soft hyphens, tags, and controls except white space. */
const INVISIBLE =
  "\\p{Default_Ignorable_Code_Point}\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ufff9-\\ufffb";
const BARE_COLOURS = "(?:\\^\\[|[\\u241b\\ufffd])?\\[(?:\\d{1,3}(?:;\\d{1,3}){0,8})?m";

/** Emoji contain invisible characters, too: only those beside ASCII can disguise a value. */
const HIDES = new RegExp(`[!-~][${INVISIBLE}]|[${INVISIBLE}][!-~]|${BARE_COLOURS}`, "u");
/** Fast tests first: most texts are printable ASCII, and most others have only visible characters. */
const MAY_HIDE = /[^\n\r\t -~]|\[[\d;]{0,40}m/;
const HOLDS_HIDDEN = new RegExp(`[${INVISIBLE}]|\\[[\\d;]{0,40}m`, "u");
const HIDDEN = new RegExp(`${TERMINAL_CODES.source}|${BARE_COLOURS}|[${INVISIBLE}]+`, "gu");
const SEQUENCES = new RegExp(
  `\\u001b(?:\\[[0-?]*[ -/]*[@-~]|[ -/]+[0-~])|\\u009b[0-?]*[ -/]*[@-~]|${BARE_COLOURS}`,
  "g",
);

export function hidesSomething(text: string): boolean {
  return MAY_HIDE.test(text) && HOLDS_HIDDEN.test(text) && HIDES.test(text);
}

export function* hiddenCharacters(text: string): Generator<Reading, void> {
  for (const { 0: match, index: start } of text.matchAll(HIDDEN)) {
    yield { start, end: start + match.length, text: "" };
  }
}

/**
 * A sequence becomes one escape character, because `m` of `ESC[31m` would be a letter before a token. Invisible content (titles, targets
 * of links) stays: it may contain a value.
 */
export function* terminalSequences(text: string): Generator<Reading, void> {
  for (const { 0: match, index: start } of text.matchAll(SEQUENCES)) {
    yield { start, end: start + match.length, text: "\u001b" };
  }
}
