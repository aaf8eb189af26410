import { isUtf8 } from "node:buffer";
import type { JsonObject } from "../../../domain/json/json.js";
import { isWhiteSpace, OPEN_BRACE } from "../../../domain/json/json-bytes.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import type { Line } from "./line.js";
import { parseLine } from "./parse-line.js";

/** How many records of one line are told apart: a writer that is killed leaves out one line feed. */
const MOST_PARTS = 1_000;

/** Used again for every text: it keeps nothing of the one before. */
const lexer = new JsonLexer([]);

/**
 * The parts of a line that is no JSON. Where a writer left out a line feed, whole records lie behind one another in one line; the
 * last part is what is left, and may be none. The line itself where it does not begin with a whole object.
 */
export function gluedParts(line: Line): readonly Line[] {
  const { bytes, to } = line;
  const parts: Line[] = [];
  let from = line.from;
  while (parts.length < MOST_PARTS && bytes[from] === OPEN_BRACE) {
    lexer.read(bytes, from, to);
    if (lexer.valueEnd < 0) break;
    parts.push(partOf(line, from, lexer.valueEnd));
    from = lexer.valueEnd;
  }
  return parts.length === 0 ? [line] : [...parts, partOf(line, from, to)];
}

/** What a line holds behind a place of its file; `undefined` for nothing. */
export function partBehind(line: Line, place: number): Line | undefined {
  if (place <= line.start || line.problem !== undefined) return line;
  const { bytes, to } = line;
  let from = line.from + (place - line.start);
  while (from < to && isWhiteSpace(bytes[from]!)) from++;
  return from < to ? partOf(line, from, to) : undefined;
}

const NONE: readonly JsonObject[] = [];

/** The records of a line: one, unless it is none, or several in one line. */
export function recordsOf(line: Line): readonly JsonObject[] {
  const { record } = parseLine(line);
  if (record !== undefined) return [record];
  const parts = gluedParts(line);
  return parts.length === 1 ? [] : parts.flatMap((part) => parseLine(part).record ?? NONE);
}

/** The part of a line between two places, without white space behind it. */
export function partOf(line: Line, from: number, end: number): Line {
  const { bytes, start } = line;
  let to = end;
  while (isWhiteSpace(bytes[to - 1]!)) to--;
  const isText = line.isUtf8 || isUtf8(bytes.subarray(from, to));
  return { ...line, start: start + (from - line.from), length: to - from, from, to, isUtf8: isText };
}
