export interface ReplacedPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Sorted, without overlaps. Overlapping parts take the first text, because each character of a repetitive text may start a part. Adjacent
 * parts of one text are united, because long values are searched in parts.
 */
export function partsToReplace(parts: readonly ReplacedPart[]): ReplacedPart[] {
  const ordered = parts.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const united: ReplacedPart[] = [];
  for (const part of ordered) {
    const last = united[united.length - 1];
    const isSeparate =
      last === undefined || part.start > last.end || (part.start === last.end && part.text !== last.text);
    if (isSeparate) united.push(part);
    else united[united.length - 1] = { ...last, end: Math.max(last.end, part.end) };
  }
  return united;
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
