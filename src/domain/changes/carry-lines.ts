import { LEAST_WEIGHT } from "./line-keys.js";
import { type LineLocations, ListedLines } from "./line-matches.js";
import {
  type AlignTexts,
  type LineMatch,
  type OwnedLine,
  type SharedRun,
  unowned,
  weaker,
} from "./line-owners.js";
import { findRuns, type RunBounds, type SoughtLines } from "./line-runs.js";
import type { LineTexts } from "./line-texts.js";

/** A single moved line needs more evidence than one of several. */
const MOVED = { least: 14, leastAlone: 14 };
/** Deleted lines may belong to another edit, so they need more evidence. */
const RESTORED = { least: 40, leastAlone: 30 };
const PIECES = { least: 12, leastAlone: 8 };

const MOST_TOKENS = 6_000;

export interface HistoryLines {
  /** All lines, if they are recorded. `pieces` then hold changes at an unrecorded position. */
  readonly complete: readonly OwnedLine[] | undefined;
  readonly pieces: readonly OwnedLine[];
  readonly gone: LineLocations;
  readonly texts: LineTexts;
}

/**
 * Finds the edit that wrote each line, by the file's earlier content: first lines at the same position, then reformatted, moved and
 * deleted ones. Any other line has no author.
 * @param isComplete false for a piece of the file, whose lines match at any position. Default is true
 */
export function* carryLines(
  history: HistoryLines,
  text: readonly string[],
  align: AlignTexts,
  isComplete = true,
): Generator<void, readonly OwnedLine[]> {
  const now: (OwnedLine | undefined)[] = text.map(() => undefined);
  const { complete = [], texts: lineTexts } = history;
  const from: SoughtLines = { lines: new ListedLines(complete, lineTexts), taken: new Set() };
  const find = (lines: SoughtLines, bounds: RunBounds, how: LineMatch) =>
    findRuns(lines, text, isOpen, bounds, lineTexts, (at, line) => take(at, line, how));
  const isOpen = (at: number) => now[at] === undefined;
  const take = (at: number, line: OwnedLine, how: LineMatch) => {
    const isSame = text[at] === line.text;
    const isFormatted = how !== "restored" && !isSame && text[at]!.trimEnd() !== line.text.trimEnd();
    const match = weaker(line.match, isFormatted ? "reformatted" : how);
    now[at] = isSame && match === line.match ? line : { text: text[at]!, by: line.by, match };
  };
  if (isComplete) {
    const texts = complete.map((line) => line.text);
    const runs = align(texts, text) ?? [];
    for (const { a, b, length } of runs) {
      for (let i = 0; i < length; i++) {
        from.taken.add(a + i);
        take(b + i, complete[a + i]!, "exact");
      }
    }
    yield;
    for (const gap of gapsBetween(runs, complete.length, text.length)) {
      alignFormatted(gap, { complete, taken: from.taken, text, align, texts: lineTexts }, (at, line) =>
        take(at, line, "reformatted"),
      );
      yield;
    }
  } else find(from, PIECES, "exact");
  yield;
  find({ lines: new ListedLines(history.pieces, lineTexts), taken: new Set() }, PIECES, "exact");
  yield;
  find(from, MOVED, "moved");
  yield;
  find({ lines: history.gone, taken: new Set() }, RESTORED, "restored");
  return now.map((line, at) => line ?? unowned(text[at]!));
}

interface Gap {
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

function* gapsBetween(runs: readonly SharedRun[], sizeA: number, sizeB: number): Generator<Gap> {
  let [fromA, fromB] = [0, 0];
  for (const { a, b, length } of [...runs, { a: sizeA, b: sizeB, length: 0 }]) {
    if (a > fromA && b > fromB) yield { a: [fromA, a], b: [fromB, b] };
    [fromA, fromB] = [a + length, b + length];
  }
}

function* pairsIn(runs: readonly SharedRun[] | undefined): Generator<readonly [a: number, b: number]> {
  for (const { a, b, length } of runs ?? []) for (let i = 0; i < length; i++) yield [a + i, b + i];
}

interface Alignment {
  readonly complete: readonly OwnedLine[];
  readonly taken: Set<number>;
  readonly text: readonly string[];
  readonly align: AlignTexts;
  readonly texts: LineTexts;
}

function alignFormatted(
  { a: [fromA, toA], b: [fromB, toB] }: Gap,
  { complete, taken, text, align, texts }: Alignment,
  take: (at: number, line: OwnedLine) => void,
): void {
  const before = complete.slice(fromA, toA);
  const after = text.slice(fromB, toB);
  const runs = align(
    before.map((line) => texts.key(line.text)),
    after.map((line) => texts.key(line)),
  );
  const paired = new Set<number>();
  for (const [a, b] of pairsIn(runs)) {
    if (texts.key(after[b]!) === "") continue;
    paired.add(b);
    taken.add(fromA + a);
    take(fromB + b, before[a]!);
  }
  const tokens = tokensOf(before.length, (i) => (taken.has(fromA + i) ? [] : texts.tokens(before[i]!.text)));
  const wanted = tokensOf(after.length, (i) => (paired.has(i) ? [] : texts.tokens(after[i]!)));
  const count = tokens.texts.length + wanted.texts.length;
  if (tokens.texts.length === 0 || wanted.texts.length === 0 || count > MOST_TOKENS) return;
  const same = align(tokens.texts, wanted.texts);
  const placesOf = new Map<number, number[]>();
  for (const [a, b] of pairsIn(same)) {
    const at = wanted.lines[b]!;
    const places = placesOf.get(at) ?? [];
    places.push(a);
    placesOf.set(at, places);
  }
  for (const [at, places] of placesOf) {
    const [first, last] = [places[0]!, places.at(-1)!];
    const isAll = places.length === texts.tokens(after[at]!).length && last - first + 1 === places.length;
    if (!isAll || texts.weight(after[at]!) < LEAST_WEIGHT) continue;
    const place = tokens.lines[places[places.length >> 1]!]!;
    taken.add(fromA + place);
    take(fromB + at, before[place]!);
  }
}

function tokensOf(count: number, tokensIn: (line: number) => readonly string[]) {
  const texts: string[] = [];
  const lines: number[] = [];
  for (let line = 0; line < count; line++) {
    for (const token of tokensIn(line)) {
      texts.push(token);
      lines.push(line);
    }
  }
  return { texts, lines };
}
