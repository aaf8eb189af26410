import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
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
import { endOfPlainText, Words } from "./plain-text.js";
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

const ARRAY = 0;
const OBJECT = 1;

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
  readonly #words = new Words();
  /** The kinds of the open containers, outermost first, and how many are open. */
  #kinds: Uint8Array = new Uint8Array(64);
  #depth = 0;
  #state = VALUE;
  #offset = 0;
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
    this.#depth = 0;
    this.#kinds[0] = ARRAY;
    this.#state = VALUE;
    this.#offset = 0;
    this.#inKey = false;
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
    if (this.#depth > 0) return "invalid";
    if (this.#state === AFTER_VALUE) return this.#kinds[0] === OBJECT ? "object" : "value";
    if (this.#state === NUMBER && isNumberEnd(this.#progress)) return "value";
    return this.#state === VALUE ? "blank" : "invalid";
  }

  /**
   * Reads a piece. Everything that a byte may need is in local variables, and each turn of the loop takes as many bytes as
   * it can: this is where reading a history spends its time.
   */
  push(bytes: Uint8Array, from: number, to: number): void {
    const base = this.#offset - from;
    const words = this.#words.of(bytes);
    const shift = bytes.byteOffset;
    let state = this.#state;
    let depth = this.#depth;
    let kinds = this.#kinds;
    let i = from;
    this.#from = from;
    this.#keyFrom = from;
    while (i < to) {
      if (state === STRING) {
        i = endOfPlainText(bytes, words, shift, i, to);
        if (i === to) break;
        const byte = bytes[i]!;
        if (byte === QUOTE) {
          if (this.#inKey) {
            this.#inKey = false;
            state = COLON_NEXT;
            if (depth <= 2) this.#endKey(bytes, i, depth);
          } else {
            state = AFTER_VALUE;
            if (depth <= 2) this.#endValue(bytes, i + 1, base, depth);
          }
        } else {
          state = byte === BACKSLASH ? ESCAPE : BAD;
          this.#keyEscaped = true;
        }
        i++;
        continue;
      }
      const byte = bytes[i]!;
      if (state <= ARRAY_FIRST && isWhiteSpace(byte)) {
        i++;
        continue;
      }
      switch (state) {
        case AFTER_VALUE:
          if (byte === COMMA && depth > 0) {
            state = kinds[depth - 1] === OBJECT ? KEY : VALUE;
            i++;
            break;
          }
          state = BAD;
          if (depth > 0 && byte === (kinds[depth - 1] === OBJECT ? CLOSE_BRACE : CLOSE_BRACKET)) {
            depth--;
            i++;
            state = AFTER_VALUE;
            if (depth <= 2) this.#endValue(bytes, i, base, depth);
          }
          break;
        case COLON_NEXT:
          state = byte === COLON ? VALUE : BAD;
          i++;
          break;
        case OBJECT_FIRST:
        case KEY:
          if (byte === QUOTE) {
            state = STRING;
            this.#inKey = true;
            this.#keyEscaped = false;
            this.#keyFrom = i + 1;
            i++;
          } else {
            state = state === OBJECT_FIRST && byte === CLOSE_BRACE ? AFTER_VALUE : BAD;
          }
          break;
        case ARRAY_FIRST:
        case VALUE:
          if (byte === CLOSE_BRACKET && state === ARRAY_FIRST) {
            state = AFTER_VALUE;
            break;
          }
          if (this.#next !== undefined) this.#beginMember(base + i, depth);
          if (byte === QUOTE) {
            state = STRING;
          } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
            if (depth === kinds.length) kinds = this.#growKinds();
            kinds[depth++] = byte === OPEN_BRACE ? OBJECT : ARRAY;
            state = byte === OPEN_BRACE ? OBJECT_FIRST : ARRAY_FIRST;
          } else {
            state = this.#beginScalar(byte);
          }
          i++;
          break;
        case NUMBER: {
          const part = nextNumberPart(this.#progress, byte);
          if (part !== undefined) {
            this.#progress = part;
            i++;
          } else if (isNumberEnd(this.#progress)) {
            state = AFTER_VALUE;
            if (depth <= 2) this.#endValue(bytes, i, base, depth);
          } else {
            state = BAD;
          }
          break;
        }
        case LITERAL:
          i++;
          if (byte !== this.#literal[this.#progress]) {
            state = BAD;
          } else if (++this.#progress === this.#literal.length) {
            state = AFTER_VALUE;
            if (depth <= 2) this.#endValue(bytes, i, base, depth);
          }
          break;
        case ESCAPE:
          state = byte === LETTER_U ? HEX : ESCAPABLE.has(byte) ? STRING : BAD;
          this.#progress = 4;
          i++;
          break;
        case HEX:
          if (!isHexDigit(byte)) state = BAD;
          else if (--this.#progress === 0) state = STRING;
          i++;
          break;
        default:
          i = to;
      }
    }
    this.#state = state;
    this.#depth = depth;
    this.#reading?.keep(bytes, from, to, base);
    this.#readingChild?.keep(bytes, from, to, base);
    if (this.#inKey && depth <= 2) this.#keepKey(bytes, to);
    this.#offset = base + to;
  }

  #growKinds(): Uint8Array {
    const grown = new Uint8Array(this.#kinds.length * 2);
    grown.set(this.#kinds);
    this.#kinds = grown;
    return grown;
  }

  #beginMember(at: number, depth: number): void {
    this.#next!.begin(at);
    if (depth === 1) this.#reading = this.#next;
    else this.#readingChild = this.#next;
    this.#next = undefined;
  }

  #beginScalar(byte: number): number {
    if (byte === MINUS || isDigit(byte)) {
      this.#progress = byte === MINUS ? NUMBER_MINUS : byte === ZERO ? NUMBER_ZERO : NUMBER_INTEGER;
      return NUMBER;
    }
    this.#progress = 1;
    this.#literal = LITERALS.find((word) => word[0] === byte) ?? this.#literal;
    return this.#literal[0] === byte ? LITERAL : BAD;
  }

  /** @param end the index behind the value's last byte */
  #endValue(bytes: Uint8Array, end: number, base: number, depth: number): void {
    if (depth === 1 && this.#reading !== undefined) {
      this.#reading.finish(bytes, this.#from, end, base);
      this.#reading = undefined;
    } else if (depth === 2 && this.#readingChild !== undefined) {
      this.#readingChild.finish(bytes, this.#from, end, base);
      this.#readingChild = undefined;
    }
  }

  #endKey(bytes: Uint8Array, end: number, depth: number): void {
    const siblings = depth === 1 ? this.#top : this.#reading?.children;
    if (siblings !== undefined && siblings.length > 0) {
      this.#next =
        this.#keyEscaped || this.#keyBegun.length > 0
          ? findSpelled(siblings, Uint8Array.from([...this.#keyBegun, ...bytes.subarray(this.#keyFrom, end)]))
          : findNamed(siblings, bytes, this.#keyFrom, end);
    }
    if (this.#keyBegun.length > 0) this.#keyBegun = [];
  }

  /** Keeps what a piece holds of a key that goes on in the next one. */
  #keepKey(bytes: Uint8Array, to: number): void {
    for (let i = this.#keyFrom; i < to && this.#keyBegun.length <= MAX_KEPT; i++)
      this.#keyBegun.push(bytes[i]!);
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
