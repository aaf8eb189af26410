import { withoutTags } from "./tagged-text.js";

/** The beginning of a text, on one line, with white space collapsed, and without agents' own tags. */
export function previewText(text: string, length = 160): string {
  const line = withoutTags(withoutTerminalCodes(text.slice(0, length * 4)))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/**
 * Terminal codes of ECMA-48 other than text: control sequences (colours, the cursor), operating system commands (titles, links),
 * selections of a character set and single escapes. No part of the pattern can match in two ways, so it takes one pass for any hostile
 * text. The usual library searches for the end of a command from each of its starts.
 */
export const TERMINAL_CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes begin with one
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]+[0-~]|[@-Z\\^_])|\u009b[0-?]*[ -/]*[@-~]/g;

/**
 * A text without its terminal codes, to be read; raw JSON and copies keep them.
 *
 * @example withoutTerminalCodes("\u001b[31mFAIL\u001b[39m") // "FAIL"
 */
export function withoutTerminalCodes(text: string): string {
  return text.includes("\u001b") || text.includes("\u009b") ? text.replace(TERMINAL_CODES, "") : text;
}
