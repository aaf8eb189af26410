import { isBoundaryType } from "../../domain/session/session-activity.js";
import { knownEventTypes } from "../../domain/trace/event-kinds.js";
import { eachLine, type FilePart, lineAround } from "../files/bytes/file-part.js";
import type { Line } from "../files/bytes/line.js";

const KEY = '"type"';
const ESCAPE = "\\u00";

const BOUNDARY_TYPES: ReadonlySet<string> = new Set(knownEventTypes().filter(isBoundaryType));
const LONGEST_TYPE = Math.max(...[...BOUNDARY_TYPES].map((type) => type.length));

/** Escapes of letters, `.` and `_`: with them a key or a type may be spelled otherwise. */
const ESCAPED_NAME = /^(?:2e|5f|6[1-9a-f]|7[0-9a])$/i;

/**
 * The lines of a part of a log that may be a boundary of a run or turn, in stored order. Few are, so they are found by their bytes,
 * and only they are parsed. A line that has a `type` of such a name anywhere counts, as does one that may spell it with escapes.
 */
export function eachBoundaryLine(part: FilePart, onLine: (line: Line) => void): void {
  const text = latin1Of(part.bytes);
  let from = 0;
  for (;;) {
    const at = nextCandidate(text, from);
    if (at === -1) return;
    const line = lineAround(part, at);
    eachLine(line, onLine);
    from = line.from - part.from + line.bytes.length;
  }
}

/** Where the next line lies that has to be parsed: a place in it. */
function nextCandidate(text: string, from: number): number {
  const type = nextBoundaryType(text, from);
  const escaped = nextEscapedName(text, from, type === -1 ? text.length : type);
  return escaped === -1 ? type : escaped;
}

function nextBoundaryType(text: string, from: number): number {
  for (let at = text.indexOf(KEY, from); at !== -1; at = text.indexOf(KEY, at + KEY.length)) {
    let value = at + KEY.length;
    while (isBetween(text.charCodeAt(value))) value++;
    if (text[value] !== '"') continue;
    const end = text.indexOf('"', value + 1);
    if (end - value - 1 <= LONGEST_TYPE && BOUNDARY_TYPES.has(text.slice(value + 1, end))) return at;
  }
  return -1;
}

function nextEscapedName(text: string, from: number, to: number): number {
  for (let at = text.indexOf(ESCAPE, from); at !== -1 && at < to; at = text.indexOf(ESCAPE, at + 1)) {
    const code = at + ESCAPE.length;
    if (ESCAPED_NAME.test(text.slice(code, code + 2))) return at;
  }
  return -1;
}

/** White space and the colon between a key and its value. */
function isBetween(code: number): boolean {
  return code === 0x3a || code === 0x20 || code === 0x09 || code === 0x0d;
}

/** Each byte as a character: cheaper than UTF-8, and the names searched for are ASCII. */
function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
