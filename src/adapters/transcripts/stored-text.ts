/**
 * A short text of a record that was read as Latin-1, where each byte is a character, as its bytes say it in UTF-8. A text that is none, or
 * that was decoded already, stays as it is. It is a copy: what it was cut from need not be kept in memory.
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
