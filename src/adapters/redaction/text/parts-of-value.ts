const LONGEST_PART = 512;

/** In a repetitive text, a long value would be compared at each offset. */
export function inParts(text: string): string[] {
  if (text.length <= LONGEST_PART) return [text];
  const count = Math.ceil(text.length / LONGEST_PART);
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, i) => text.slice(i * size, (i + 1) * size));
}
