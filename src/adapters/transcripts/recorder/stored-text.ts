/**
 * Decodes UTF-8 that was read as Latin-1, one character per byte. Any other text stays unchanged. The result is a copy, which frees the
 * source text.
 * @example storedText("caf\u00c3\u00a9") // "café"
 */
export function storedText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that one byte can be
  if (!/^[\x00-\xff]*$/.test(text)) return text;
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  // A cut may split the last character.
  const end = decoded.endsWith("\ufffd") ? decoded.replace(/\ufffd+$/, "") : decoded;
  return end.includes("\ufffd") ? text : end;
}
