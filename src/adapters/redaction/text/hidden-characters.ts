import { TERMINAL_CODES } from "../../../domain/text/preview-text.js";
import type { Reading } from "./text-view.js";

/** Invisible characters: those that are ignored by default (zero width, soft hyphens, tags) and controls, except white space. */
const INVISIBLE =
  "\\p{Default_Ignorable_Code_Point}\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ufff9-\\ufffb";
/** Colours whose escape character was lost, or was written as a sign. */
const BARE_COLOURS = "(?:\\^\\[|[\\u241b\\ufffd])?\\[(?:\\d{1,3}(?:;\\d{1,3}){0,8})?m";

/** Emoji hold invisible characters, too: only those that touch a sign of ASCII can disguise a value. */
const HIDES = new RegExp(`[!-~][${INVISIBLE}]|[${INVISIBLE}][!-~]|${BARE_COLOURS}`, "u");
/** Most texts are printable ASCII without colours, and most others have only visible characters. These tests take a fraction of the time. */
const MAY_HIDE = /[^\n\r\t -~]|\[[\d;]{0,40}m/;
const HOLDS_HIDDEN = new RegExp(`[${INVISIBLE}]|\\[[\\d;]{0,40}m`, "u");
const HIDDEN = new RegExp(`${TERMINAL_CODES.source}|${BARE_COLOURS}|[${INVISIBLE}]+`, "gu");
const SEQUENCES = new RegExp(
  `\\u001b(?:\\[[0-?]*[ -/]*[@-~]|[ -/]+[0-~])|\\u009b[0-?]*[ -/]*[@-~]|${BARE_COLOURS}`,
  "g",
);

/** True if something invisible in a text may disguise a value. */
export function hidesSomething(text: string): boolean {
  return MAY_HIDE.test(text) && HOLDS_HIDDEN.test(text) && HIDES.test(text);
}

/** All that is invisible in a text is read as nothing. */
export function* hiddenCharacters(text: string): Generator<Reading, void> {
  for (const { 0: match, index: start } of text.matchAll(HIDDEN)) {
    yield { start, end: start + match.length, text: "" };
  }
}

/**
 * Sequences of a terminal are read as a single escape character: `m` of `ESC[31m` would be a letter before a token. What a terminal does not
 * show (titles, targets of links) stays, because it may hold a value.
 */
export function* terminalSequences(text: string): Generator<Reading, void> {
  for (const { 0: match, index: start } of text.matchAll(SEQUENCES)) {
    yield { start, end: start + match.length, text: "\u001b" };
  }
}
