import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfScalar,
  isEscapable,
  isHexDigit,
  isWhiteSpace,
  LETTER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from "./json-bytes.js";

const VALUE = 0;
const KEY = 1;
const KEY_OR_END = 2;
const VALUE_OR_END = 3;

const ARRAY = 0;
const OBJECT = 1;

export type JsonVerdict = "object" | "value" | "invalid" | "blank";

/** Far less than a millisecond of work. */
const BYTES_PER_PAUSE = 256 * 1024;

const ENDS_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === QUOTE || byte === BACKSLASH || byte < SPACE ? 1 : 0,
);

/** Most strings are short: longer ones are tested by words of four bytes. */
const SHORT_STRING = 12;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Accepts the same texts as `JSON.parse`, and finds the wanted members without objects. The last of equal names counts.
 * @example
 * const lexer = new JsonLexer(["sequence"]);
 * lexer.read(line, 0, line.length); // "object"
 * line.subarray(lexer.start(0), lexer.end(0)); // the bytes of the sequence
 */
export class JsonLexer {
  readonly #names: readonly string[];
  readonly #keys: readonly Uint8Array[];
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #kinds: Uint8Array = new Uint8Array(64);
  #depth = 0;
  #isObject = false;
  #at = 0;
  #valueEnd = -1;
  #expected = VALUE;
  /** -1 outside of a wanted member. */
  #member = -1;
  #keyIsEscaped = false;
  /** Cached because the lines of one chunk share it. */
  #memory: ArrayBufferLike | undefined;
  #words: Int32Array = new Int32Array(0);

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#keys = names.map((name) => encoder.encode(name));
    this.#starts = new Int32Array(names.length);
    this.#ends = new Int32Array(names.length);
  }

  /** -1 if the member is absent. */
  start(member: number): number {
    return this.#starts[member]!;
  }

  /** Exclusive. */
  end(member: number): number {
    return this.#ends[member]!;
  }

  /** Start of further text after a complete value, if this text is the only fault. Otherwise -1. */
  get valueEnd(): number {
    return this.#valueEnd;
  }

  read(bytes: Uint8Array, from: number, to: number): JsonVerdict {
    this.#begin(bytes, from);
    return this.#advance(bytes, to, to) ?? "invalid";
  }

  *readInSteps(bytes: Uint8Array, from: number, to: number): Generator<void, JsonVerdict> {
    this.#begin(bytes, from);
    for (;;) {
      const verdict = this.#advance(bytes, to, this.#at + BYTES_PER_PAUSE);
      if (verdict !== undefined) return verdict;
      yield;
    }
  }

  #begin(bytes: Uint8Array, from: number): void {
    this.#starts.fill(-1);
    this.#ends.fill(-1);
    this.#depth = 0;
    this.#isObject = false;
    this.#at = from;
    this.#valueEnd = -1;
    this.#expected = VALUE;
    this.#member = -1;
    if (bytes.buffer === this.#memory) return;
    this.#memory = bytes.buffer;
    this.#words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2);
  }

  /**
   * Local variables hold the state, because a reader of a history spends most of its time here.
   * @returns `undefined` for a pause
   */
  #advance(bytes: Uint8Array, to: number, pauseAt: number): JsonVerdict | undefined {
    let kinds = this.#kinds;
    let depth = this.#depth;
    let expected = this.#expected;
    let member = this.#member;
    let i = this.#at;
    for (;;) {
      if (i > pauseAt) {
        this.#depth = depth;
        this.#expected = expected;
        this.#member = member;
        this.#at = i;
        return undefined;
      }
      while (i < to && isWhiteSpace(bytes[i]!)) i++;
      if (i >= to) return depth === 0 ? "blank" : "invalid";
      const byte = bytes[i]!;
      if (expected === KEY || expected === KEY_OR_END) {
        if (byte === QUOTE) {
          const start = i + 1;
          this.#keyIsEscaped = false;
          i = this.#endOfString(bytes, start, to);
          if (i < 0) return "invalid";
          if (depth === 1) member = this.#memberNamed(bytes, start, i);
          i++;
          while (i < to && isWhiteSpace(bytes[i]!)) i++;
          if (i >= to || bytes[i] !== COLON) return "invalid";
          i++;
          expected = VALUE;
          continue;
        }
        if (byte !== CLOSE_BRACE || expected === KEY) return "invalid";
        depth--;
        i++;
      } else {
        if (depth === 1 && member >= 0) this.#starts[member] = i;
        if (byte === QUOTE) {
          i = this.#endOfString(bytes, i + 1, to) + 1;
          if (i === 0) return "invalid";
        } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
          if (depth === 0) this.#isObject = byte === OPEN_BRACE;
          if (depth === kinds.length) kinds = this.#growKinds();
          kinds[depth++] = byte === OPEN_BRACE ? OBJECT : ARRAY;
          expected = byte === OPEN_BRACE ? KEY_OR_END : VALUE_OR_END;
          i++;
          continue;
        } else if (byte === CLOSE_BRACKET && expected === VALUE_OR_END) {
          depth--;
          i++;
        } else {
          i = endOfScalar(bytes, i, to);
          if (i < 0) return "invalid";
        }
      }
      for (;;) {
        if (depth === 1 && member >= 0) {
          this.#ends[member] = i;
          member = -1;
        }
        while (i < to && isWhiteSpace(bytes[i]!)) i++;
        if (depth === 0) {
          if (i < to) {
            this.#valueEnd = i;
            return "invalid";
          }
          return this.#isObject ? "object" : "value";
        }
        if (i >= to) return "invalid";
        const isObject = kinds[depth - 1] === OBJECT;
        const next = bytes[i]!;
        i++;
        if (next === COMMA) {
          expected = isObject ? KEY : VALUE;
          break;
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return "invalid";
        depth--;
      }
    }
  }

  /**
   * Returns -1 for an unclosed or invalid string. Tests four bytes at a time (Hacker's Delight, chapter 6): the test of a word may match
   * too often, never too rarely; the bytes then decide.
   */
  #endOfString(bytes: Uint8Array, from: number, to: number): number {
    const words = this.#words;
    const shift = bytes.byteOffset;
    let i = from;
    for (;;) {
      const near = Math.min(to, i + SHORT_STRING);
      while (i < near && ENDS_TEXT[bytes[i]!] === 0) i++;
      if (i === near) {
        while (i < to && ((i + shift) & 3) !== 0 && ENDS_TEXT[bytes[i]!] === 0) i++;
        if (((i + shift) & 3) === 0) {
          const lastWord = (to + shift) >>> 2;
          let word = (i + shift) >>> 2;
          for (; word < lastWord; word++) {
            const four = words[word]!;
            const quote = four ^ 0x22222222;
            const backslash = four ^ 0x5c5c5c5c;
            const ends =
              ((quote - 0x01010101) & ~quote) |
              ((backslash - 0x01010101) & ~backslash) |
              ((four - 0x20202020) & ~four);
            if ((ends & 0x80808080) !== 0) break;
          }
          i = Math.max(i, word * 4 - shift);
          while (i < to && ENDS_TEXT[bytes[i]!] === 0) i++;
        }
      }
      if (i >= to) return -1;
      if (bytes[i] === QUOTE) return i;
      if (bytes[i] !== BACKSLASH || i + 1 >= to) return -1;
      this.#keyIsEscaped = true;
      const escaped = bytes[i + 1]!;
      i += 2;
      if (escaped === LETTER_U) {
        for (const end = i + 4; i < end; i++) if (i >= to || !isHexDigit(bytes[i]!)) return -1;
      } else if (!isEscapable(escaped)) return -1;
    }
  }

  #memberNamed(bytes: Uint8Array, from: number, to: number): number {
    if (this.#keyIsEscaped) {
      return this.#names.indexOf(JSON.parse(`"${decoder.decode(bytes.subarray(from, to))}"`) as string);
    }
    for (let member = 0; member < this.#keys.length; member++) {
      if (isSame(this.#keys[member]!, bytes, from, to)) return member;
    }
    return -1;
  }

  #growKinds(): Uint8Array {
    const grown = new Uint8Array(this.#kinds.length * 2);
    grown.set(this.#kinds);
    this.#kinds = grown;
    return grown;
  }
}

function isSame(key: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (key.length !== to - from) return false;
  for (let i = 0; i < key.length; i++) if (bytes[from + i] !== key[i]) return false;
  return true;
}
