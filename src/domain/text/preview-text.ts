import { withoutTags } from "./tagged-text.js";

/** One line, without agents' own tags. */
export function previewText(text: string, length = 160): string {
  const line = withoutTags(withoutTerminalCodes(text.slice(0, length * 4)))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/**
 * ECMA-48: control sequences, operating system commands, character sets and single escapes. No part matches in two ways, so hostile text
 * takes one pass; the usual library is quadratic.
 */
export const TERMINAL_CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes begin with one
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]+[0-~]|[@-Z\\^_])|\u009b[0-?]*[ -/]*[@-~]/g;

/**
 * Only for display: raw JSON and copies retain the codes.
 * @example withoutTerminalCodes("\u001b[31mFAIL\u001b[39m") // "FAIL"
 */
export function withoutTerminalCodes(text: string): string {
  return text.includes("\u001b") || text.includes("\u009b") ? text.replace(TERMINAL_CODES, "") : text;
}
