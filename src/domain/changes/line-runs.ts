import type { FoundLines } from "./found-lines.js";
import type { LineTexts } from "./line-texts.js";
import type { OwnedLine } from "./owned-lines.js";

/** Lines of which each may be found once. */
export interface SoughtLines {
  readonly lines: FoundLines;
  /** The places of those that were found. */
  readonly taken: Set<number>;
}

/** What lines that follow each other in both texts must weigh to be the same ones. */
export interface RunBounds {
  /** Together. */
  readonly least: number;
  /** One line alone, which must also be the only one of its kind. */
  readonly leastAlone: number;
}

interface Run {
  readonly at: number;
  readonly place: number;
  readonly length: number;
  readonly weight: number;
  readonly owned: number;
}

/**
 * Finds lines by what they say, wherever they lie: the longest runs of them that agree first.
 *
 * @param wanted the texts; those that are not open are passed over
 * @param isOpen which of them are still wanted
 * @param found is told each line that was found: its place among the texts, and the line
 */
export function findRuns(
  { lines, taken }: SoughtLines,
  wanted: readonly string[],
  isOpen: (at: number) => boolean,
  bounds: RunBounds,
  texts: LineTexts,
  found: (at: number, line: OwnedLine) => void,
): void {
  if (!wanted.some((_, at) => isOpen(at))) return;
  const keys = wanted.map((text) => texts.key(text));
  const places = lines.placesOf(new Set(keys.filter((_, at) => isOpen(at))), taken);
  if (places.size === 0) return;
  const runs: Run[] = [];
  const isAgreeing = (at: number, place: number) =>
    at >= 0 &&
    place >= lines.first &&
    at < keys.length &&
    place < lines.end &&
    isOpen(at) &&
    !taken.has(place) &&
    keys[at] === lines.key(place);
  const seen = new Set<number>();
  const pairOf = (at: number, place: number) => at * lines.end + place;
  for (let at = 0; at < keys.length; at++) {
    if (!isOpen(at)) continue;
    for (const place of places.get(keys[at]!) ?? []) {
      if (seen.has(pairOf(at, place))) continue;
      let [start, end] = [0, 1];
      while (isAgreeing(at + start - 1, place + start - 1)) start--;
      while (isAgreeing(at + end, place + end)) end++;
      for (let i = start; i < end; i++) seen.add(pairOf(at + i, place + i));
      runs.push(runOf(lines, at + start, place + start, end - start, texts));
    }
  }
  runs.sort((a, b) => b.weight - a.weight || b.owned - a.owned || b.place - a.place || a.at - b.at);
  const isAlone = (at: number) =>
    (places.get(keys[at]!)?.length ?? 0) === 1 && keys.indexOf(keys[at]!) === keys.lastIndexOf(keys[at]!);
  for (const { at, place, length } of runs) {
    // A longer run may have taken some of it.
    for (const [start, end] of openParts(length, (i) => isAgreeing(at + i, place + i))) {
      const { weight } = runOf(lines, at + start, place + start, end - start, texts);
      const needed = end - start === 1 && isAlone(at + start) ? bounds.leastAlone : bounds.least;
      if (weight < needed) continue;
      for (let i = start; i < end; i++) {
        taken.add(place + i);
        found(at + i, lines.line(place + i));
      }
    }
  }
}

function runOf(lines: FoundLines, at: number, place: number, length: number, texts: LineTexts): Run {
  let [weight, owned] = [0, 0];
  for (let i = place; i < place + length; i++) {
    const { text, by } = lines.line(i);
    weight += texts.weight(text);
    if (by >= 0) owned++;
  }
  return { at, place, length, weight, owned };
}

function* openParts(length: number, isOpen: (i: number) => boolean): Generator<readonly [number, number]> {
  for (let i = 0; i < length; i++) {
    if (!isOpen(i)) continue;
    const start = i;
    while (i < length && isOpen(i)) i++;
    yield [start, i];
  }
}
