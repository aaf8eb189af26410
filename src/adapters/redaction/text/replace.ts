/** A part of a text, and what stands in its place. */
export interface ReplacedPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Parts without those that lie in others. Of two that overlap, the second begins where the first ends: all of both is replaced. */
export function partsToReplace(found: readonly ReplacedPart[]): ReplacedPart[] {
  const ordered = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const parts: ReplacedPart[] = [];
  let at = 0;
  for (const { start, end, text } of ordered) {
    if (end <= at) continue;
    const last = parts[parts.length - 1];
    // The parts of a long value are one.
    if (last?.end === start && last.text === text && start > 0) parts[parts.length - 1] = { ...last, end };
    else parts.push({ start: Math.max(start, at), end, text });
    at = end;
  }
  return parts;
}

export function replaceParts(text: string, parts: readonly ReplacedPart[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const part of parts) {
    pieces.push(text.slice(from, part.start), part.text);
    from = part.end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}
