import { BACKSLASH, CLOSE_BRACE, COMMA, isDigit, OPEN_BRACE, OPEN_BRACKET } from "../json/json-bytes.js";
import { JsonLexer } from "../json/json-lexer.js";
import { findBytes } from "./find-bytes.js";

export interface SequenceRange {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly behind: string;
}

const MEMBER_NAME = '"sequence":';
const encoder = new TextEncoder();
const MEMBER = encoder.encode(MEMBER_NAME);
const NAME = encoder.encode('"sequence"');
const ESCAPE = encoder.encode("\\u00");

/** Hexadecimal digits of the letters of the name: only such an escape can spell the name differently. */
const LETTERS = new Set(["63", "65", "6e", "6E", "71", "73", "75"]);

const MOST_DIGITS = 16;

/** Maximum growth of a record. */
export const MOST_ADDED = MEMBER_NAME.length + MOST_DIGITS + 1;

/** Callers must request records from first to last. */
export class StoredSequences {
  readonly #bytes: Uint8Array;
  readonly #members: Occurrences;
  readonly #names: Occurrences;
  readonly #escapes: Occurrences;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#members = new Occurrences(bytes, MEMBER);
    this.#names = new Occurrences(bytes, NAME);
    this.#escapes = new Occurrences(bytes, ESCAPE, (at) =>
      LETTERS.has(String.fromCharCode(bytes[at]!, bytes[at + 1]!)),
    );
  }

  /**
   * Fast path for the usual spelling: one occurrence of the name, before any container, and digits. Otherwise `undefined`: {@link any}
   * reads the record.
   */
  plain(start: number, end: number): SequenceRange | undefined {
    const bytes = this.#bytes;
    const key = this.#members.next(start);
    if (key <= start || key >= end || bytes[start] !== OPEN_BRACE) return undefined;
    for (let i = start + 1; i < key; i++) {
      const byte = bytes[i];
      // A brace may also be in a string, and a backslash may spell the name differently: then the lexer decides.
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET || byte === BACKSLASH) return undefined;
    }
    const from = key + MEMBER.length;
    let to = from;
    while (to < end && isDigit(bytes[to]!)) to++;
    if (to === from || (bytes[to] !== COMMA && bytes[to] !== CLOSE_BRACE)) return undefined;
    const isOnly = this.#names.next(to) >= end && this.#escapes.next(to) >= end;
    return isOnly ? { from, to, before: "", behind: "" } : undefined;
  }

  /** A record that is not an object has none. */
  *any(start: number, end: number): Generator<void, SequenceRange | undefined> {
    const record = this.#bytes.subarray(start, end);
    const lexer = new JsonLexer(["sequence"]);
    if ((yield* lexer.readInSteps(record, 0, record.length)) !== "object") return undefined;
    if (lexer.start(0) >= 0) {
      return { from: start + lexer.start(0), to: start + lexer.end(0), before: "", behind: "" };
    }
    const inside = record.indexOf(OPEN_BRACE) + 1;
    const isEmpty = record.subarray(inside).every((byte) => byte === CLOSE_BRACE || byte <= 0x20);
    const at = start + inside;
    return { from: at, to: at, before: MEMBER_NAME, behind: isEmpty ? "" : "," };
  }
}

/** Callers must ask for ascending positions: the next match is cached. */
class Occurrences {
  readonly #bytes: Uint8Array;
  readonly #wanted: Uint8Array;
  readonly #goesOn: (at: number) => boolean;
  #match = -1;

  /** @param goesOn true if the text at a position continues the occurrence. Default is true */
  constructor(bytes: Uint8Array, wanted: Uint8Array, goesOn: (at: number) => boolean = () => true) {
    this.#bytes = bytes;
    this.#wanted = wanted;
    this.#goesOn = goesOn;
  }

  /** Infinity without a match. */
  next(from: number): number {
    for (let at = from; this.#match < from; at += this.#wanted.length) {
      at = findBytes(this.#bytes, this.#wanted, at);
      if (at === -1) this.#match = Number.POSITIVE_INFINITY;
      else if (this.#goesOn(at + this.#wanted.length)) this.#match = at;
    }
    return this.#match;
  }
}
