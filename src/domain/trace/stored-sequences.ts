import { BACKSLASH, CLOSE_BRACE, COMMA, isDigit, OPEN_BRACE, OPEN_BRACKET } from "../json/json-bytes.js";
import { JsonLexer } from "../json/json-lexer.js";
import { findBytes } from "./find-bytes.js";

/** The bytes that a new sequence replaces, and the text around it. */
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

/** Continuation of an escape for a letter of the name. Without such an escape, a text cannot spell the name in another way. */
const LETTERS = new Set(["63", "65", "6e", "6E", "71", "73", "75"]);

const MOST_DIGITS = 16;

/** By how many bytes a record grows at most. */
export const MOST_ADDED = MEMBER_NAME.length + MOST_DIGITS + 1;

/** Finds the `sequence` in the records of a piece of JSON text; request records from first to last. */
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
   * The place in a record as nearly all writers spell it: the name occurs in it once, in front of any member that is a container,
   * and is followed by digits. `undefined` for any other record, which {@link any} reads.
   */
  plain(start: number, end: number): SequenceRange | undefined {
    const bytes = this.#bytes;
    const key = this.#members.next(start);
    if (key <= start || key >= end || bytes[start] !== OPEN_BRACE) return undefined;
    for (let i = start + 1; i < key; i++) {
      const byte = bytes[i];
      // A brace in a string counts too, and a backslash may spell the name otherwise: then the lexer reads the record.
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET || byte === BACKSLASH) return undefined;
    }
    const from = key + MEMBER.length;
    let to = from;
    while (to < end && isDigit(bytes[to]!)) to++;
    if (to === from || (bytes[to] !== COMMA && bytes[to] !== CLOSE_BRACE)) return undefined;
    const isOnly = this.#names.next(to) >= end && this.#escapes.next(to) >= end;
    return isOnly ? { from, to, before: "", behind: "" } : undefined;
  }

  /** Its position in any record. A record that is not an object has none. */
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

/** Occurrences of some bytes, requested at ascending positions: a match after the end of a record is searched once. */
class Occurrences {
  readonly #bytes: Uint8Array;
  readonly #wanted: Uint8Array;
  readonly #goesOn: (at: number) => boolean;
  #found = -1;

  /** @param goesOn whether what follows, at a place, belongs to an occurrence. Default is that it does */
  constructor(bytes: Uint8Array, wanted: Uint8Array, goesOn: (at: number) => boolean = () => true) {
    this.#bytes = bytes;
    this.#wanted = wanted;
    this.#goesOn = goesOn;
  }

  /** The first place from `from` on, or infinity. */
  next(from: number): number {
    for (let at = from; this.#found < from; at += this.#wanted.length) {
      at = findBytes(this.#bytes, this.#wanted, at);
      if (at === -1) this.#found = Number.POSITIVE_INFINITY;
      else if (this.#goesOn(at + this.#wanted.length)) this.#found = at;
    }
    return this.#found;
  }
}
