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
import { MemberTracker } from "./member-tracker.js";
import { isNumberEnd, NUMBER_INTEGER, NUMBER_MINUS, NUMBER_ZERO, nextNumberPart } from "./number-grammar.js";
import { endOfPlainText, Words } from "./plain-text.js";

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
  readonly #members: MemberTracker;
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

  /** @param paths the members wanted: a name of the record itself, or `name.name` for a member of a member */
  constructor(paths: readonly string[]) {
    this.#members = new MemberTracker(paths);
  }

  /** Forgets the text read so far. */
  reset(): void {
    this.#depth = 0;
    this.#kinds[0] = ARRAY;
    this.#state = VALUE;
    this.#offset = 0;
    this.#inKey = false;
    this.#members.reset();
  }

  /** Where the value of the path with that index starts, in bytes from the start of the text; -1 where it is absent. */
  start(path: number): number {
    return this.#members.at(path).start;
  }

  end(path: number): number {
    return this.#members.at(path).end;
  }

  /** The bytes of a value, quotes included, cut at {@link MAX_KEPT}. The next text overwrites them. */
  bytes(path: number): Uint8Array {
    return this.#members.at(path).kept;
  }

  /** The value as `JSON.parse` gives it, where it is no container and not cut; `undefined` otherwise. */
  scalar(path: number): unknown {
    return this.#members.at(path).scalar();
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
    const members = this.#members;
    members.beginPiece(bytes, from, base);
    while (i < to) {
      if (state === STRING) {
        i = endOfPlainText(bytes, words, shift, i, to);
        if (i === to) break;
        const byte = bytes[i]!;
        if (byte === QUOTE) {
          if (this.#inKey) {
            this.#inKey = false;
            state = COLON_NEXT;
            if (depth <= 2) members.endKey(i, depth);
          } else {
            state = AFTER_VALUE;
            if (depth <= 2) members.endValue(i + 1, depth);
          }
        } else {
          state = byte === BACKSLASH ? ESCAPE : BAD;
          members.keyIsEscaped = true;
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
            if (depth <= 2) members.endValue(i, depth);
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
            members.beginKey(i + 1);
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
          if (members.isNext) members.beginValue(i, depth);
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
            if (depth <= 2) members.endValue(i, depth);
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
            if (depth <= 2) members.endValue(i, depth);
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
    members.endPiece(to, this.#inKey && depth <= 2);
    this.#offset = base + to;
  }

  #growKinds(): Uint8Array {
    const grown = new Uint8Array(this.#kinds.length * 2);
    grown.set(this.#kinds);
    this.#kinds = grown;
    return grown;
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
}
