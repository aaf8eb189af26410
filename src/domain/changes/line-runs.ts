import type { LineLocations } from "./line-matches.js";
import type { OwnedLine } from "./line-owners.js";
import type { LineTexts } from "./line-texts.js";

export interface SoughtLines {
  readonly lines: LineLocations;
  readonly taken: Set<number>;
}

export interface RunBounds {
  readonly least: number;
  /** For a single line, which must also be unique: no more than `least`. */
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
 * Finds lines by their texts at any position: the longest matching runs first.
 * @param isOpen false for texts to skip
 * @param onLine receives the index of the text, and the line
 */
export function findRuns(
  { lines, taken }: SoughtLines,
  wanted: readonly string[],
  isOpen: (at: number) => boolean,
  bounds: RunBounds,
  texts: LineTexts,
  onLine: (at: number, line: OwnedLine) => void,
): void {
  const open: number[] = [];
  for (let at = 0; at < wanted.length; at++) if (isOpen(at)) open.push(at);
  if (open.length === 0) return;
  const keys = new Array<string | undefined>(wanted.length);
  const keyOf = (at: number) => {
    keys[at] ??= texts.key(wanted[at]!);
    return keys[at];
  };
  const places = lines.placesOf(new Set(open.map(keyOf)), taken);
  if (places.size === 0) return;
  const runs: Run[] = [];
  const isAgreeing = (at: number, place: number) =>
    at >= 0 &&
    place >= lines.first &&
    at < wanted.length &&
    place < lines.end &&
    isOpen(at) &&
    !taken.has(place) &&
    keyOf(at) === lines.key(place);
  const visited = new Set<number>();
  const pairOf = (at: number, place: number) => at * lines.end + place;
  for (const at of open) {
    for (const place of places.get(keyOf(at)) ?? []) {
      if (visited.has(pairOf(at, place))) continue;
      let [start, end] = [0, 1];
      while (isAgreeing(at + start - 1, place + start - 1)) start--;
      while (isAgreeing(at + end, place + end)) end++;
      for (let i = start; i < end; i++) visited.add(pairOf(at + i, place + i));
      runs.push(runOf(lines, at + start, place + start, end - start, texts));
    }
  }
  runs.sort((a, b) => b.weight - a.weight || b.owned - a.owned || b.place - a.place || a.at - b.at);
  const isAlone = (at: number) =>
    (places.get(keyOf(at))?.length ?? 0) === 1 &&
    wanted.every((_, other) => other === at || keyOf(other) !== keyOf(at));
  for (const { at, place, length } of runs) {
    for (const [start, end] of openParts(length, (i) => isAgreeing(at + i, place + i))) {
      const { weight } = runOf(lines, at + start, place + start, end - start, texts);
      const isEnoughAlone = () => end - start === 1 && weight >= bounds.leastAlone && isAlone(at + start);
      if (weight < bounds.least && !isEnoughAlone()) continue;
      for (let i = start; i < end; i++) {
        taken.add(place + i);
        onLine(at + i, lines.line(place + i));
      }
    }
  }
}

function runOf(lines: LineLocations, at: number, place: number, length: number, texts: LineTexts): Run {
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
