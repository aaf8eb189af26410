/**
 * Decodes a short text of a record as UTF-8 that was read as Latin-1, where each byte is a character. A text that is not UTF-8, or that
 * is already decoded, stays unchanged. The result is a copy, so the source text can be released from memory.
 *
 * @example storedText("caf\u00c3\u00a9") // "café"
 */
export function storedText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that one byte can be
  if (!/^[\x00-\xff]*$/.test(text)) return text;
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  // The end may have been cut within a character.
  const end = decoded.endsWith("\ufffd") ? decoded.replace(/\ufffd+$/, "") : decoded;
  return end.includes("\ufffd") ? text : end;
}
