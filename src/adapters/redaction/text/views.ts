import { type DecodedRun, decodeRun, type EncodedRun, encodedRuns } from "./encoded-data.js";
import { privateKeyBlocks } from "./private-key-blocks.js";

/** Where something of a view lies in the text itself. */
export type PlaceInText = (start: number, end: number) => readonly [start: number, end: number];

/** A text as somebody reads it who undoes an encoding of a part of it, such as escapes in a text in a text. */
export interface TextView {
  readonly text: string;
  readonly place: PlaceInText;
}

/** Data that cannot be looked at, in a text. */
export interface DataRun extends EncodedRun {
  readonly kind: "image" | "opaque";
}

export interface TextLook {
  readonly views: readonly TextView[];
  readonly data: readonly DataRun[];
}

/** How many encodings in each other are undone. */
const DEEPEST = 3;
const WHOLE: PlaceInText = (start, end) => [start, end];

/** All that has to be looked at to have looked at a text: itself, what is encoded in it, and that data in it that nobody can look at. */
export function lookInto(text: string): TextLook {
  const look = { views: [] as TextView[], data: [] as DataRun[] };
  addViews(text, WHOLE, 0, look);
  return look;
}

function addViews(
  text: string,
  place: PlaceInText,
  depth: number,
  look: { views: TextView[]; data: DataRun[] },
): void {
  const runs: { readonly run: EncodedRun; readonly decoded: DecodedRun }[] = [];
  for (const run of encodedRuns(text)) runs.push({ run, decoded: decodeRun(run) });
  // A key is code, too: it is looked at as a key, whose lines are removed wherever they are.
  const keys = privateKeyBlocks(text);
  let next = 0;
  const isKey = ({ start, end }: EncodedRun) => {
    while (next < keys.length && keys[next]!.end <= start) next++;
    return next < keys.length && keys[next]!.start < end;
  };
  let from = 0;
  const pieceUpTo = (end: number) => {
    if (end > from) addPiece(text.slice(from, end), moved(place, from), depth, look);
  };
  for (const { run, decoded } of runs) {
    if (decoded === undefined || decoded.kind === "text") continue;
    if (run.start < from || isKey(run)) continue;
    pieceUpTo(run.start);
    const [start, end] = place(run.start, run.end);
    look.data.push({ ...run, start, end, kind: decoded.kind });
    from = run.end;
  }
  pieceUpTo(text.length);
  if (depth === DEEPEST) return;
  for (const { run, decoded } of runs) {
    if (decoded?.kind !== "text") continue;
    const [start, end] = place(run.start, run.end);
    addViews(decoded.text, () => [start, end], depth + 1, look);
  }
}

function addPiece(
  text: string,
  place: PlaceInText,
  depth: number,
  look: { views: TextView[]; data: DataRun[] },
): void {
  look.views.push({ text, place });
  if (depth === DEEPEST) return;
  for (const pattern of [ESCAPES, PERCENT, ENTITIES]) {
    const decoded = undo(text, pattern);
    if (decoded !== undefined) {
      addViews(decoded.text, (start, end) => place(...decoded.place(start, end)), depth + 1, look);
    }
  }
}

const moved = (place: PlaceInText, by: number): PlaceInText =>
  by === 0 ? place : (start, end) => place(start + by, end + by);

interface Escapes {
  readonly sign: string;
  readonly pattern: RegExp;
  /** What stands for it; `undefined` where it is none. */
  readonly read: (match: string) => string | undefined;
}

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", "0": "\0" };

/** Of JSON, of JavaScript and of shells. */
const ESCAPES: Escapes = {
  sign: "\\",
  pattern: /\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}|[^ux])/g,
  read(match) {
    const code = /^\\[ux]\{?([0-9A-Fa-f]+)/.exec(match)?.[1];
    return code === undefined
      ? (CONTROLS[match[1]!] ?? match.slice(1))
      : character(Number.parseInt(code, 16));
  },
};

const PERCENT: Escapes = {
  sign: "%",
  pattern: /(?:%[0-9A-Fa-f]{2})+/g,
  read: (match) => Buffer.from(match.replaceAll("%", ""), "hex").toString("utf8"),
};

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const ENTITIES: Escapes = {
  sign: "&",
  pattern: /&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);/gi,
  read(match) {
    const name = match.slice(1, -1).toLowerCase();
    if (!name.startsWith("#")) return NAMED[name];
    return character(name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  },
};

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** @returns `undefined` where nothing is escaped */
function undo(text: string, { sign, pattern, read }: Escapes): TextView | undefined {
  if (!text.includes(sign)) return undefined;
  const parts: string[] = [];
  /** Of each escape: where it ends in what is read, and where in the text; in ascending order. */
  const ends: number[] = [];
  const textEnds: number[] = [];
  let [from, length] = [0, 0];
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const value = read(match);
    if (value === undefined) continue;
    // Each is followed by its own length: what is found up to within it ends at its end.
    parts.push(text.slice(from, index), value);
    length += index - from;
    ends.push(length);
    textEnds.push(index);
    length += value.length;
    from = index + match.length;
    ends.push(length);
    textEnds.push(from);
  }
  if (ends.length === 0) return undefined;
  parts.push(text.slice(from));
  const placeOf = (offset: number, side: 0 | 1) => {
    const at = lastUpTo(ends, offset);
    if (at === -1) return offset;
    if (at % 2 === 1) return textEnds[at]! + offset - ends[at]!;
    return textEnds[offset > ends[at]! ? at + side : at]!; // of an escape that reads as several characters, all of it
  };
  return { text: parts.join(""), place: (start, end) => [placeOf(start, 0), placeOf(end, 1)] };
}

/** The last index whose value is not above; -1 where there is none. */
function lastUpTo(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
