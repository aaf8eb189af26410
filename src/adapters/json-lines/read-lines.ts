import type { ReadOptions } from "../../application/ports/record-stream.js";
import { isBlank, type JsonLine, LONG_LINE, type MemberValues, parseLine } from "./json-line.js";
import { LineScan } from "./line-scan.js";
import { ParsedMembers } from "./parsed-members.js";
import type { ReadableFile } from "./readable-file.js";

/**
 * How much is read, and parsed, between two turns of the event loop: one to two milliseconds of work. The first chunks are
 * smaller, because code that has not run yet runs slowly.
 */
const CHUNK = 256 * 1024;
const FIRST_CHUNK = 16 * 1024;

const PARSED_MOST = 8 * 1024 * 1024;

const LF = 0x0a;

/** Where a reading of lines starts, and what it stops short of. */
export interface LineRange {
  /** The start of a line. */
  readonly from: number;
  /** Bytes from there on are not looked at: the size of the file when it was looked up. */
  readonly to: number;
  /** The number of the first line. */
  readonly line: number;
}

/** How much of a line is wanted. */
export interface WantedOfLine {
  /** The members to keep of a line that is too long to be held. Default is none. */
  readonly members?: readonly string[] | undefined;
  /**
   * Whether to keep all of a line that is too long to be held, with its long strings cut. Default is no. A record that is
   * long without its strings keeps its members only.
   */
  readonly shortensLongLines?: boolean | undefined;
  /** Whether to keep no more of any line: that spares making objects. Default is to parse lines whole. */
  readonly onlyMembers?: boolean | undefined;
  /**
   * How long a reading may be, in bytes, to be parsed even where only members are wanted. The parser of the engine is as fast in a
   * process that has just started as ever; the scanner is slow until it is compiled, but makes no objects.
   * Default is 8 MiB.
   */
  readonly parsesUpTo?: number | undefined;
  /** Which lines that can be held to parse whole nevertheless. Default is none. */
  readonly parsesWhole?: ((members: MemberValues) => boolean) | undefined;
}

/** Where a reading of lines ended. */
export interface LineEnd {
  /** Behind the last line that has an end. */
  readonly offset: number;
  /** The number of the line that starts there. */
  readonly line: number;
  /** The last line, where the file does not end with a line feed and what is there is a whole record. */
  readonly tail: JsonLine | undefined;
}

/**
 * Reads a file of JSON Lines and gives each line that is not blank. A last line without its line feed is given apart, and
 * only where it is a whole record: it may still be being written.
 *
 * @param wanted how much of a line is wanted
 */
export async function readLines(
  file: ReadableFile,
  range: LineRange,
  onLine: (line: JsonLine) => void,
  wanted: WantedOfLine = {},
  { signal }: ReadOptions = {},
): Promise<LineEnd> {
  const isParsed = range.to - range.from <= (wanted.parsesUpTo ?? PARSED_MOST);
  const splitter = new LineSplitter(range, onLine, wanted, () => newScan(wanted), isParsed);
  const chunk = new Uint8Array(Math.max(1, Math.min(CHUNK, range.to - range.from)));
  let at = range.from;
  let length = FIRST_CHUNK;
  while (at < range.to) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, Math.min(length, chunk.length, range.to - at), at);
    if (bytesRead === 0) break;
    const from = at === 0 && hasByteOrderMark(chunk, bytesRead) ? 3 : 0;
    splitter.push(chunk, from, bytesRead, at + from);
    at += bytesRead;
    length = Math.min(CHUNK, length * 2);
  }
  return splitter.end();
}

/** What scans the lines of parts that are in memory: they come one after the other, and most are short. */
const scans = new WeakMap<WantedOfLine, LineScan>();

/**
 * Gives the lines of a part of a file that is in memory, as {@link readLines} does. The tail too is only lent: the next call
 * may overwrite it.
 *
 * @param offset where the part starts in the file: at the start of a line, which counts as the first
 */
export function splitLines(
  bytes: Uint8Array,
  offset: number,
  onLine: (line: JsonLine) => void,
  wanted: WantedOfLine = {},
): LineEnd {
  const scan = () => {
    const made = scans.get(wanted) ?? newScan(wanted);
    scans.set(wanted, made);
    return made;
  };
  const splitter = new LineSplitter({ from: offset, line: 1 }, onLine, wanted, scan, false);
  const from = offset === 0 && hasByteOrderMark(bytes, bytes.length) ? 3 : 0;
  splitter.push(bytes, from, bytes.length, offset + from);
  return splitter.end();
}

function newScan({ members = [], shortensLongLines = false }: WantedOfLine): LineScan {
  return new LineScan(members, shortensLongLines);
}

function hasByteOrderMark(bytes: Uint8Array, length: number): boolean {
  return length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

class LineSplitter {
  readonly #onLine: (line: JsonLine) => void;
  readonly #wanted: WantedOfLine;
  /** Made when a line is first scanned: most files are parsed, and short. */
  readonly #makeScan: () => LineScan;
  #lineScan: LineScan | undefined;
  readonly #isParsed: boolean;
  /** Made when a line is first parsed for its members: most files are scanned, or parsed whole. */
  #parsedMembers: ParsedMembers | undefined;
  #number: number;
  /** The beginning of a line that goes on in the next chunk. */
  #begun: Uint8Array[] = [];
  #begunLength = 0;
  #begunAt: number;
  #isLong = false;

  constructor(
    range: Pick<LineRange, "from" | "line">,
    onLine: (line: JsonLine) => void,
    wanted: WantedOfLine,
    makeScan: () => LineScan,
    isParsed: boolean,
  ) {
    this.#onLine = onLine;
    this.#makeScan = makeScan;
    this.#wanted = wanted;
    this.#isParsed = isParsed;
    this.#number = range.line;
    this.#begunAt = range.from;
  }

  get #parsed(): ParsedMembers {
    this.#parsedMembers ??= new ParsedMembers(this.#wanted.members ?? []);
    return this.#parsedMembers;
  }

  get #scan(): LineScan {
    this.#lineScan ??= this.#makeScan();
    return this.#lineScan;
  }

  /** @param offset where `bytes[from]` lies in the file */
  push(bytes: Uint8Array, from: number, to: number, offset: number): void {
    let at = from;
    while (at < to) {
      const found = bytes.indexOf(LF, at);
      const end = found === -1 || found >= to ? to : found;
      if (end === to) {
        this.#carry(bytes, at, to, offset + at - from);
        return;
      }
      this.#endLine(bytes, at, end, offset + at - from);
      at = end + 1;
      this.#begunAt = offset + at - from;
    }
  }

  end(): LineEnd {
    const whole = this.#begunLength === 0 ? undefined : this.#lineBegun();
    return {
      offset: this.#begunAt,
      line: this.#number,
      tail: whole?.problem === undefined ? whole : undefined,
    };
  }

  #endLine(bytes: Uint8Array, from: number, to: number, offset: number): void {
    let line: JsonLine | undefined;
    if (this.#begunLength === 0) line = this.#readLine(bytes, from, to, offset);
    else {
      this.#carry(bytes, from, to, offset);
      line = this.#lineBegun();
    }
    this.#begun = [];
    this.#begunLength = 0;
    this.#isLong = false;
    this.#number++;
    if (line !== undefined) this.#onLine(line);
  }

  #carry(bytes: Uint8Array, from: number, to: number, offset: number): void {
    if (this.#begunLength === 0) this.#begunAt = offset;
    this.#begunLength += to - from;
    if (this.#isLong) {
      this.#scan.push(bytes, from, to);
      return;
    }
    this.#begun.push(bytes.slice(from, to));
    if (this.#begunLength <= LONG_LINE) return;
    this.#isLong = true;
    this.#scan.begin(this.#number, this.#begunAt);
    for (const piece of this.#begun) this.#scan.push(piece, 0, piece.length);
    this.#begun = [];
  }

  #lineBegun(): JsonLine | undefined {
    if (this.#isLong) return this.#scan.end();
    const bytes = Buffer.concat(this.#begun);
    return this.#readLine(bytes, 0, bytes.length, this.#begunAt);
  }

  #readLine(bytes: Uint8Array, from: number, to: number, offset: number): JsonLine | undefined {
    if (!this.#wanted.onlyMembers) return parseLine(bytes, from, to, this.#number, offset);
    if (this.#isParsed) {
      const parsed = this.#parsed.parseLine(bytes, from, to, this.#number, offset);
      if (!this.#parsed.isLong) return parsed;
    }
    let start = from;
    while (start < to && isBlank(bytes[start]!)) start++;
    this.#scan.begin(this.#number, offset + start - from);
    this.#scan.push(bytes, start, to);
    const line = this.#scan.end();
    if (line?.problem !== undefined || !this.#wanted.parsesWhole?.(this.#scan)) return line;
    return parseLine(bytes, from, to, this.#number, offset);
  }
}
