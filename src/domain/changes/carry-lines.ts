import { type FoundLines, ListedLines } from "./found-lines.js";
import { LEAST_WEIGHT } from "./line-keys.js";
import { findRuns, type RunBounds, type SoughtLines } from "./line-runs.js";
import type { LineTexts } from "./line-texts.js";
import { type AlignTexts, type LineMatch, type OwnedLine, unowned, weaker } from "./owned-lines.js";

/** Alone, a line that was moved has to say more than one of several. */
const MOVED = { least: 14, leastAlone: 14 };
/** What had gone is another one's as soon as it may be. */
const RESTORED = { least: 40, leastAlone: 30 };
const PIECES = { least: 12, leastAlone: 8 };

/** Gaps with more words are not compared word by word. */
const MOST_TOKENS = 6_000;

/** What is known of a file. */
export interface KnownLines {
  /** All lines of it, where they are known; pieces of it beside them were changed where no record shows the rest. */
  readonly whole: readonly OwnedLine[] | undefined;
  readonly pieces: readonly OwnedLine[];
  /** Lines that the file had before. */
  readonly gone: FoundLines;
  readonly texts: LineTexts;
}

/**
 * Says of each line of a text which edit wrote it, by what is known of the file before: lines that stand where they stood, then those that were
 * formatted in between, moved elsewhere, or had gone. A line that is none of these is nobody's.
 *
 * @param isWhole whether the text is the whole file; of a piece, lines are found wherever they lie. Default is that it is
 */
export function* carryLines(
  known: KnownLines,
  text: readonly string[],
  align: AlignTexts,
  isWhole = true,
): Generator<void, readonly OwnedLine[]> {
  const now: (OwnedLine | undefined)[] = text.map(() => undefined);
  const { whole = [], texts: said } = known;
  const from: SoughtLines = { lines: new ListedLines(whole, said), taken: new Set() };
  const find = (lines: SoughtLines, bounds: RunBounds, how: LineMatch) =>
    findRuns(lines, text, isOpen, bounds, said, (at, line) => take(at, line, how));
  const isOpen = (at: number) => now[at] === undefined;
  const take = (at: number, line: OwnedLine, how: LineMatch) => {
    const isFormatted = how !== "restored" && text[at]!.trimEnd() !== line.text.trimEnd();
    now[at] = { text: text[at]!, by: line.by, match: weaker(line.match, isFormatted ? "reformatted" : how) };
  };
  if (isWhole) {
    const texts = whole.map((line) => line.text);
    const pairs = align(texts, text) ?? [];
    for (const [a, b] of pairs) {
      from.taken.add(a);
      take(b, whole[a]!, "exact");
    }
    yield;
    for (const gap of gapsBetween(pairs, whole.length, text.length)) {
      alignFormatted(gap, { whole, taken: from.taken, text, align, texts: said }, (at, line) =>
        take(at, line, "reformatted"),
      );
      yield;
    }
  } else find(from, PIECES, "exact");
  yield;
  find({ lines: new ListedLines(known.pieces, said), taken: new Set() }, PIECES, "exact");
  yield;
  find(from, MOVED, "moved");
  yield;
  find({ lines: known.gone, taken: new Set() }, RESTORED, "restored");
  return now.map((line, at) => line ?? unowned(text[at]!));
}

/** Lines between two that are paired. */
interface Gap {
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

function* gapsBetween(
  pairs: readonly (readonly [number, number])[],
  sizeA: number,
  sizeB: number,
): Generator<Gap> {
  let [fromA, fromB] = [0, 0];
  for (const [a, b] of [...pairs, [sizeA, sizeB] as const]) {
    if (a > fromA && b > fromB) yield { a: [fromA, a], b: [fromB, b] };
    [fromA, fromB] = [a + 1, b + 1];
  }
}

/** The whole file before, of which some lines are found, and after. */
interface Alignment {
  readonly whole: readonly OwnedLine[];
  readonly taken: Set<number>;
  readonly text: readonly string[];
  readonly align: AlignTexts;
  readonly texts: LineTexts;
}

/** Pairs lines that say the same in another form; then those whose words are all there, in one line or in several. */
function alignFormatted(
  { a: [fromA, toA], b: [fromB, toB] }: Gap,
  { whole, taken, text, align, texts }: Alignment,
  take: (at: number, line: OwnedLine) => void,
): void {
  const before = whole.slice(fromA, toA);
  const after = text.slice(fromB, toB);
  const pairs = align(
    before.map((line) => texts.key(line.text)),
    after.map((line) => texts.key(line)),
  );
  const paired = new Set<number>();
  for (const [a, b] of pairs ?? []) {
    if (texts.key(after[b]!) === "") continue;
    paired.add(b);
    taken.add(fromA + a);
    take(fromB + b, before[a]!);
  }
  const tokens = before.flatMap((line, place) =>
    taken.has(fromA + place) ? [] : texts.tokens(line.text).map((token) => ({ token, place })),
  );
  const wanted = after.flatMap((line, at) =>
    paired.has(at) ? [] : texts.tokens(line).map((token) => ({ token, at })),
  );
  if (tokens.length === 0 || wanted.length === 0 || tokens.length + wanted.length > MOST_TOKENS) return;
  const same = align(
    tokens.map(({ token }) => token),
    wanted.map(({ token }) => token),
  );
  const placesOf = new Map<number, number[]>();
  for (const [a, b] of same ?? []) {
    const { at } = wanted[b]!;
    const places = placesOf.get(at) ?? [];
    places.push(a);
    placesOf.set(at, places);
  }
  for (const [at, places] of placesOf) {
    const [first, last] = [places[0]!, places.at(-1)!];
    // All of the line is there, and nothing else was in between.
    const isAll = places.length === texts.tokens(after[at]!).length && last - first + 1 === places.length;
    if (!isAll || texts.weight(after[at]!) < LEAST_WEIGHT) continue;
    const { place } = tokens[places[places.length >> 1]!]!;
    taken.add(fromA + place);
    take(fromB + at, before[place]!);
  }
}
