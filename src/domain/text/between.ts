/** Returns `undefined` without both marks in this order. A regular expression takes quadratic time for a text with many beginnings. */
export function textBetween(text: string, open: string, close: string): string | undefined {
  const at = text.indexOf(open);
  if (at === -1) return undefined;
  const from = at + open.length;
  const to = text.indexOf(close, from);
  return to === -1 ? undefined : text.slice(from, to);
}
