import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  ENDS_PLAIN_TEXT,
  ESCAPABLE,
  isDigit,
  isHexDigit,
  isWhiteSpace,
  LETTER_U,
  LITERALS,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  ZERO,
} from "./json-bytes.js";
import { isNumberEnd, NUMBER_INTEGER, NUMBER_MINUS, NUMBER_ZERO, nextNumberPart } from "./number-grammar.js";
import { MAX_KEPT, RecordMember } from "./record-member.js";

/** What the text may go on with. */
const VALUE = 0;
const OBJECT_FIRST = 1;
const KEY = 2;
const COLON_NEXT = 3;
const AFTER_VALUE = 4;
const ARRAY_FIRST = 5;
const STRING = 6;
const ESCAPE = 7;
const HEX = 8;
const NUMBER = 9;
const LITERAL = 10;
const BAD = 11;

const decoder = new TextDecoder();

/** What a text is: an object, another JSON value, no JSON, or nothing but white space. */
export type JsonVerdict = "object" | "value" | "invalid" | "blank";

/**
 * Reads one JSON text (RFC 8259) byte by byte, in as many pieces as it comes in: says whether `JSON.parse` would take it,
 * and where the members that one asks for lie. It makes no objects, so a line of any size costs no memory, and work can
 * stop between any two pieces.
 *
 * @example
 * const scanner = new RecordScanner(["sequence", "event.type"]);
 * scanner.push(line, 0, line.length);
 * scanner.finish(); // "object"
 * scanner.scalar(0); // the sequence
 */
export class RecordScanner {
  readonly #members: readonly RecordMember[];
  readonly #top: readonly RecordMember[];
  /** The open containers, outermost first: true for an object. */
  readonly #open: boolean[] = [];
  #state = VALUE;
  #offset = 0;
  #isObject = false;
  #inKey = false;
  /** Of a number: its part. Of a literal: how many of its bytes came. Of `\u`: how many digits are to come. */
  #progress = 0;
  #literal = LITERALS[0]!;
  /** The beginning of a key that did not come in one piece, or that has escapes; empty otherwise. */
  #keyBegun: number[] = [];
  /** Where the present piece starts, and where in it the key goes on. */
  #from = 0;
  #keyFrom = 0;
  #keyEscaped = false;
  /** The member whose value comes next, and those whose values are being read: one of the record, one of a member. */
  #next: RecordMember | undefined;
  #reading: RecordMember | undefined;
  #readingChild: RecordMember | undefined;

  /** @param paths the members wanted: a name of the record itself, or `name.name` for a member of a member */
  constructor(paths: readonly string[]) {
    const top: RecordMember[] = [];
    this.#members = paths.map((path) => {
      const [outer = "", inner] = path.split(".");
      const member = findOrAdd(top, outer);
      return inner === undefined ? member : findOrAdd(member.children, inner);
    });
    this.#top = top;
  }

  /** Forgets the text read so far. */
  reset(): void {
    this.#open.length = 0;
    this.#state = VALUE;
    this.#offset = 0;
    this.#isObject = false;
    if (this.#keyBegun.length > 0) this.#keyBegun = [];
    this.#next = undefined;
    this.#reading = undefined;
    this.#readingChild = undefined;
    for (const member of this.#top) member.clear();
  }

  /** Where the value of the path with that index starts, in bytes from the start of the text; -1 where it is absent. */
  start(path: number): number {
    return this.#members[path]!.start;
  }

  end(path: number): number {
    return this.#members[path]!.end;
  }

  /** The bytes of a value, quotes included, cut at {@link MAX_KEPT}. The next text overwrites them. */
  bytes(path: number): Uint8Array {
    return this.#members[path]!.kept;
  }

  /** The value as `JSON.parse` gives it, where it is no container and not cut; `undefined` otherwise. */
  scalar(path: number): unknown {
    const { start, end, kept } = this.#members[path]!;
    if (start < 0 || end - start > MAX_KEPT) return undefined;
    if (kept[0] === OPEN_BRACE || kept[0] === OPEN_BRACKET) return undefined;
    return JSON.parse(decoder.decode(kept.subarray(0, end - start)));
  }

  finish(): JsonVerdict {
    if (this.#state === NUMBER && isNumberEnd(this.#progress)) this.#state = AFTER_VALUE;
    if (this.#state === AFTER_VALUE && this.#open.length === 0) return this.#isObject ? "object" : "value";
    return this.#state === VALUE && this.#open.length === 0 ? "blank" : "invalid";
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    const base = this.#offset - from;
    this.#from = from;
    this.#keyFrom = from;
    let i = from;
    while (i < to) {
      const state = this.#state;
      if (state === STRING) {
        while (i < to && ENDS_PLAIN_TEXT[bytes[i]!] === 0) i++;
        if (i < to) this.#endPlainText(bytes, i, base);
      } else if (state === NUMBER) {
        i = this.#number(bytes, i, to, base);
        continue;
      } else if (state <= ARRAY_FIRST) {
        const byte = bytes[i]!;
        if (!isWhiteSpace(byte)) this.#structure(bytes, byte, i, base);
      } else if (state === ESCAPE) {
        this.#escape(bytes[i]!);
      } else if (state === HEX) {
        if (!isHexDigit(bytes[i]!)) this.#state = BAD;
        else if (--this.#progress === 0) this.#state = STRING;
      } else if (state === LITERAL) {
        if (bytes[i] !== this.#literal[this.#progress]) this.#state = BAD;
        else if (++this.#progress === this.#literal.length) this.#endValue(bytes, i + 1, base);
      } else {
        break;
      }
      i++;
    }
    this.#reading?.keep(bytes, from, to, base);
    this.#readingChild?.keep(bytes, from, to, base);
    if (this.#inKey) this.#keepKey(bytes, to);
    this.#offset = base + to;
  }

  /** Everything between values: separators, and the first byte of each key and value. */
  #structure(bytes: Uint8Array, byte: number, i: number, base: number): void {
    switch (this.#state) {
      case AFTER_VALUE: {
        const inObject = this.#open[this.#open.length - 1];
        if (byte === COMMA && inObject !== undefined) this.#state = inObject ? KEY : VALUE;
        else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#close(bytes, byte, i, base);
        else this.#state = BAD;
        return;
      }
      case COLON_NEXT:
        this.#state = byte === COLON ? VALUE : BAD;
        return;
      case OBJECT_FIRST:
      case KEY:
        if (byte === CLOSE_BRACE && this.#state === OBJECT_FIRST) return this.#close(bytes, byte, i, base);
        this.#state = byte === QUOTE ? STRING : BAD;
        this.#inKey = byte === QUOTE;
        this.#keyFrom = i + 1;
        this.#keyEscaped = false;
        return;
      default:
        if (byte === CLOSE_BRACKET && this.#state === ARRAY_FIRST) return this.#close(bytes, byte, i, base);
        return this.#beginValue(byte, base + i);
    }
  }

  #beginValue(byte: number, at: number): void {
    const depth = this.#open.length;
    if (this.#next !== undefined) {
      this.#next.begin(at);
      if (depth === 1) this.#reading = this.#next;
      else this.#readingChild = this.#next;
      this.#next = undefined;
    }
    if (byte === QUOTE) {
      this.#state = STRING;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === 0) this.#isObject = byte === OPEN_BRACE;
      this.#open.push(byte === OPEN_BRACE);
      this.#state = byte === OPEN_BRACE ? OBJECT_FIRST : ARRAY_FIRST;
    } else if (byte === MINUS || isDigit(byte)) {
      this.#state = NUMBER;
      this.#progress = byte === MINUS ? NUMBER_MINUS : byte === ZERO ? NUMBER_ZERO : NUMBER_INTEGER;
    } else {
      this.#literal = LITERALS.find((word) => word[0] === byte) ?? LITERALS[0]!;
      this.#state = this.#literal[0] === byte ? LITERAL : BAD;
      this.#progress = 1;
    }
  }

  #close(bytes: Uint8Array, byte: number, i: number, base: number): void {
    if (this.#open.pop() === (byte === CLOSE_BRACE)) this.#endValue(bytes, i + 1, base);
    else this.#state = BAD;
  }

  /** @param end the index behind the value's last byte */
  #endValue(bytes: Uint8Array, end: number, base: number): void {
    this.#state = AFTER_VALUE;
    const level = this.#open.length;
    if (level === 1 && this.#reading !== undefined) {
      this.#reading.finish(bytes, this.#from, end, base);
      this.#reading = undefined;
    } else if (level === 2 && this.#readingChild !== undefined) {
      this.#readingChild.finish(bytes, this.#from, end, base);
      this.#readingChild = undefined;
    }
  }

  #endPlainText(bytes: Uint8Array, i: number, base: number): void {
    const byte = bytes[i]!;
    if (byte === BACKSLASH) {
      this.#state = ESCAPE;
      this.#keyEscaped = true;
    } else if (byte !== QUOTE) {
      this.#state = BAD;
    } else if (this.#inKey) {
      this.#endKey(bytes, i);
    } else {
      this.#endValue(bytes, i + 1, base);
    }
  }

  #escape(byte: number): void {
    this.#state = byte === LETTER_U ? HEX : ESCAPABLE.has(byte) ? STRING : BAD;
    this.#progress = 4;
  }

  #number(bytes: Uint8Array, from: number, to: number, base: number): number {
    for (let i = from; i < to; i++) {
      const next = nextNumberPart(this.#progress, bytes[i]!);
      if (next === undefined) {
        if (isNumberEnd(this.#progress)) this.#endValue(bytes, i, base);
        else this.#state = BAD;
        return i;
      }
      this.#progress = next;
    }
    return to;
  }

  /** Keeps what a piece holds of a key that goes on in the next one. */
  #keepKey(bytes: Uint8Array, to: number): void {
    for (let i = this.#keyFrom; i < to && this.#keyBegun.length <= MAX_KEPT; i++)
      this.#keyBegun.push(bytes[i]!);
  }

  #endKey(bytes: Uint8Array, end: number): void {
    this.#state = COLON_NEXT;
    this.#inKey = false;
    const depth = this.#open.length;
    const siblings = depth === 1 ? this.#top : depth === 2 ? this.#reading?.children : undefined;
    if (siblings !== undefined && siblings.length > 0) {
      this.#next =
        this.#keyEscaped || this.#keyBegun.length > 0
          ? findSpelled(siblings, Uint8Array.from([...this.#keyBegun, ...bytes.subarray(this.#keyFrom, end)]))
          : findNamed(siblings, bytes, this.#keyFrom, end);
    }
    if (this.#keyBegun.length > 0) this.#keyBegun = [];
  }
}

function findOrAdd(siblings: RecordMember[], name: string): RecordMember {
  const known = siblings.find((sibling) => sibling.name === name);
  if (known !== undefined) return known;
  const added = new RecordMember(name);
  siblings.push(added);
  return added;
}

function findNamed(
  siblings: readonly RecordMember[],
  bytes: Uint8Array,
  from: number,
  to: number,
): RecordMember | undefined {
  for (const sibling of siblings) if (sibling.isNamed(bytes, from, to)) return sibling;
  return undefined;
}

/** The member whose name a key spells, perhaps with escapes. */
function findSpelled(siblings: readonly RecordMember[], key: Uint8Array): RecordMember | undefined {
  if (key.length > MAX_KEPT) return undefined;
  const name: unknown = JSON.parse(`"${decoder.decode(key)}"`);
  return siblings.find((sibling) => sibling.name === name);
}
