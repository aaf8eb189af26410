/**
 * What a program writes to a terminal besides text, by ECMA-48: control sequences (colours, the cursor), operating system
 * commands (titles, links) and single escapes. No part of the pattern can match in two ways, so that it takes one pass however
 * hostile the text is; the usual library for this looks for the end of a command from every beginning of one.
 */
const CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes begin with one
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])|\u009b[0-?]*[ -/]*[@-~]/g;

/**
 * A text without its terminal codes, to be read; raw JSON and copies keep them.
 *
 * @example withoutTerminalCodes("\u001b[31mFAIL\u001b[39m") // "FAIL"
 */
export function withoutTerminalCodes(text: string): string {
  return text.includes("\u001b") || text.includes("\u009b") ? text.replace(CODES, "") : text;
}
