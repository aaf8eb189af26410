/**
 * The text between two marks; `undefined` where the first one is absent, or the second one behind it. An
 * expression that looks for the end takes time that grows with the square of a text that has many beginnings.
 */
export function textBetween(text: string, open: string, close: string): string | undefined {
  const at = text.indexOf(open);
  if (at === -1) return undefined;
  const from = at + open.length;
  const to = text.indexOf(close, from);
  return to === -1 ? undefined : text.slice(from, to);
}
