const LONGEST_PART = 4_096;

/** Long values are looked for by their parts: a text that repeats itself would hold a long one at every place. */
export function inParts(text: string): string[] {
  if (text.length <= LONGEST_PART) return [text];
  const count = Math.ceil(text.length / LONGEST_PART);
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, i) => text.slice(i * size, (i + 1) * size));
}
