import { LEAST_WEIGHT, lineKey, lineTokens, lineWeight } from "./line-keys.js";
import { type FoundLines, findRuns } from "./line-runs.js";
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
  readonly gone: readonly OwnedLine[];
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
  const { whole = [] } = known;
  const from: FoundLines = { lines: whole, taken: new Set() };
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
      alignFormatted(gap, from, text, align, (at, line) => take(at, line, "reformatted"));
      yield;
    }
  } else findRuns(from, text, isOpen, PIECES, (at, line) => take(at, line, "exact"));
  yield;
  const pieces = { lines: known.pieces, taken: new Set<number>() };
  findRuns(pieces, text, isOpen, PIECES, (at, line) => take(at, line, "exact"));
  yield;
  findRuns(from, text, isOpen, MOVED, (at, line) => take(at, line, "moved"));
  yield;
  const gone = { lines: known.gone, taken: new Set<number>() };
  findRuns(gone, text, isOpen, RESTORED, (at, line) => take(at, line, "restored"));
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

/** Pairs lines that say the same in another form; then those whose words are all there, in one line or in several. */
function alignFormatted(
  { a: [fromA, toA], b: [fromB, toB] }: Gap,
  from: FoundLines,
  text: readonly string[],
  align: AlignTexts,
  take: (at: number, line: OwnedLine) => void,
): void {
  const before = from.lines.slice(fromA, toA);
  const after = text.slice(fromB, toB);
  const pairs = align(
    before.map((line) => lineKey(line.text)),
    after.map(lineKey),
  );
  const paired = new Set<number>();
  for (const [a, b] of pairs ?? []) {
    if (lineKey(after[b]!) === "") continue;
    paired.add(b);
    from.taken.add(fromA + a);
    take(fromB + b, before[a]!);
  }
  const tokens = before.flatMap((line, place) =>
    from.taken.has(fromA + place) ? [] : lineTokens(line.text).map((token) => ({ token, place })),
  );
  const wanted = after.flatMap((line, at) =>
    paired.has(at) ? [] : lineTokens(line).map((token) => ({ token, at })),
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
    const isAll = places.length === lineTokens(after[at]!).length && last - first + 1 === places.length;
    if (!isAll || lineWeight(after[at]!) < LEAST_WEIGHT) continue;
    const { place } = tokens[places[places.length >> 1]!]!;
    from.taken.add(fromA + place);
    take(fromB + at, before[place]!);
  }
}
