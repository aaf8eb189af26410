import { type DecodedRun, decodeRun, type EncodedRun, encodedRuns } from "./encoded-data.js";
import { decodedCharacters, ENCODINGS } from "./encodings.js";
import { hiddenCharacters, hidesSomething, terminalSequences } from "./hidden-characters.js";
import { joinedLines } from "./joined-lines.js";
import { privateKeyBlocks } from "./private-key-blocks.js";
import { type PlaceInText, type TextView, viewOf } from "./text-view.js";

/** Data that cannot be searched. */
export interface DataRun extends EncodedRun {
  readonly kind: "image" | "opaque";
}

export interface TextLook {
  readonly views: readonly TextView[];
  readonly data: readonly DataRun[];
}

const DEEPEST = 3;
const IDENTITY: PlaceInText = (start, end) => [start, end];

/** Pauses between views. */
export function* lookInto(text: string): Generator<void, TextLook> {
  const look = new Look();
  yield* look.add({ text, place: IDENTITY }, 0, new Set());
  if (hidesSomething(text)) look.views.push({ text, place: IDENTITY, isWritten: true });
  return look;
}

class Look implements TextLook {
  readonly views: TextView[] = [];
  readonly data: DataRun[] = [];
  readonly #dataRanges = new Set<string>();

  /** @param read texts of the same characters: encodings in either order may decode to one text */
  *add(view: TextView, depth: number, read: Set<string>): Generator<void, void> {
    for (const { text, place } of visibleViews(view)) {
      if (read.has(text)) continue;
      read.add(text);
      yield;
      yield* this.#addRuns({ text, place }, depth, read);
    }
  }

  *#addRuns({ text, place }: TextView, depth: number, read: Set<string>): Generator<void, void> {
    const runs: { readonly run: EncodedRun; readonly decoded: DecodedRun }[] = [];
    for (const run of encodedRuns(text)) runs.push({ run, decoded: decodeRun(run) });
    // A key is code, too, but its lines are removed wherever they are.
    const keys = privateKeyBlocks(text);
    let next = 0;
    const isKey = ({ start, end }: EncodedRun) => {
      while (next < keys.length && keys[next]!.end <= start) next++;
      return next < keys.length && keys[next]!.start < end;
    };
    let from = 0;
    const pieces: TextView[] = [];
    const pieceUpTo = (end: number) => {
      if (end > from) pieces.push({ text: text.slice(from, end), place: moved(place, from) });
    };
    for (const { run, decoded } of runs) {
      if (decoded === undefined || decoded.kind === "text") continue;
      if (run.start < from || isKey(run)) continue;
      pieceUpTo(run.start);
      this.#addData(run, decoded.kind, place);
      from = run.end;
    }
    pieceUpTo(text.length);
    for (const piece of pieces) yield* this.#addPiece(piece, depth, pieces.length === 1 ? read : new Set());
    if (depth === DEEPEST) return;
    for (const { run, decoded } of runs) {
      if (decoded?.kind !== "text") continue;
      const [start, end] = place(run.start, run.end);
      yield* this.add({ text: decoded.text, place: () => [start, end] }, depth + 1, new Set());
    }
  }

  #addData(run: EncodedRun, kind: DataRun["kind"], place: PlaceInText): void {
    const [start, end] = place(run.start, run.end);
    const range = `${start}-${end}`;
    if (this.#dataRanges.has(range)) return;
    this.#dataRanges.add(range);
    this.data.push({ ...run, start, end, kind });
  }

  *#addPiece({ text, place }: TextView, depth: number, read: Set<string>): Generator<void, void> {
    this.views.push({ text, place });
    const joined = joinedLines(text);
    if (joined !== undefined) this.views.push({ ...joined, place: within(place, joined.place) });
    if (depth === DEEPEST) return;
    for (const encoding of ENCODINGS) {
      const decoded = viewOf(text, decodedCharacters(text, encoding));
      if (decoded === undefined) continue;
      yield* this.add({ text: decoded.text, place: within(place, decoded.place) }, depth + 1, read);
    }
  }
}

/** Terminal sequences as one character each, then without all invisible characters. */
function visibleViews({ text, place }: TextView): readonly TextView[] {
  if (!hidesSomething(text)) return [{ text, place }];
  return [terminalSequences, hiddenCharacters].map((readings) => {
    const view = viewOf(text, readings(text));
    return view === undefined ? { text, place } : { text: view.text, place: within(place, view.place) };
  });
}

const within =
  (outer: PlaceInText, inner: PlaceInText): PlaceInText =>
  (start, end) =>
    outer(...inner(start, end));

const moved = (place: PlaceInText, by: number): PlaceInText =>
  by === 0 ? place : (start, end) => place(start + by, end + by);
