import { LEAST_WEIGHT, lineKey, lineWeight } from "./line-keys.js";
import type { OwnedLine } from "./owned-lines.js";

/** Lines of which each may be found once. */
export interface FoundLines {
  readonly lines: readonly OwnedLine[];
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

/** Of a line that is often in a text so many places are tried. */
const MOST_PLACES = 64;

/**
 * Finds lines by what they say, wherever they lie: the longest runs of them that agree first.
 *
 * @param wanted the texts; those that are not open are passed over
 * @param isOpen which of them are still wanted
 * @param found is told each line that was found: its place among the texts, and the line
 */
export function findRuns(
  from: FoundLines,
  wanted: readonly string[],
  isOpen: (at: number) => boolean,
  bounds: RunBounds,
  found: (at: number, line: OwnedLine) => void,
): void {
  const keys = wanted.map(lineKey);
  const open = new Set(keys.filter((_, at) => isOpen(at)));
  if (open.size === 0) return;
  const fromKeys = from.lines.map(({ text }) => lineKey(text));
  const places = placesOf(from, fromKeys, open);
  const runs: Run[] = [];
  const isAgreeing = (at: number, place: number) =>
    at >= 0 &&
    place >= 0 &&
    at < keys.length &&
    place < fromKeys.length &&
    isOpen(at) &&
    !from.taken.has(place) &&
    keys[at] === fromKeys[place];
  const seen = new Set<number>();
  const pairOf = (at: number, place: number) => at * fromKeys.length + place;
  for (let at = 0; at < keys.length; at++) {
    if (!isOpen(at)) continue;
    for (const place of places.get(keys[at]!) ?? []) {
      if (seen.has(pairOf(at, place))) continue;
      let [start, end] = [0, 1];
      while (isAgreeing(at + start - 1, place + start - 1)) start--;
      while (isAgreeing(at + end, place + end)) end++;
      for (let i = start; i < end; i++) seen.add(pairOf(at + i, place + i));
      runs.push(runOf(from, at + start, place + start, end - start));
    }
  }
  runs.sort((a, b) => b.weight - a.weight || b.owned - a.owned || b.place - a.place || a.at - b.at);
  const isAlone = (at: number) =>
    (places.get(keys[at]!)?.length ?? 0) === 1 && keys.indexOf(keys[at]!) === keys.lastIndexOf(keys[at]!);
  for (const { at, place, length } of runs) {
    // A longer run may have taken some of it.
    for (const [start, end] of openParts(length, (i) => isAgreeing(at + i, place + i))) {
      const { weight } = runOf(from, at + start, place + start, end - start);
      const needed = isAlone(at + start) && end - start === 1 ? bounds.leastAlone : bounds.least;
      if (weight < needed) continue;
      for (let i = start; i < end; i++) {
        from.taken.add(place + i);
        found(at + i, from.lines[place + i]!);
      }
    }
  }
}

/** Of the lines that are wanted: what the others weigh is not asked, because a history has many more of them. */
function placesOf(
  { lines, taken }: FoundLines,
  keys: readonly string[],
  wanted: ReadonlySet<string>,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, key] of keys.entries()) {
    if (!wanted.has(key) || taken.has(place) || lineWeight(lines[place]!.text) < LEAST_WEIGHT) continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else if (known.length < MOST_PLACES) known.push(place);
  }
  return places;
}

function runOf({ lines }: FoundLines, at: number, place: number, length: number): Run {
  let [weight, owned] = [0, 0];
  for (let i = place; i < place + length; i++) {
    weight += lineWeight(lines[i]!.text);
    if (lines[i]!.by >= 0) owned++;
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
