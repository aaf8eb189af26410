import { readSync } from "node:fs";
import { jsonIn } from "../../../domain/json/json.js";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isWhiteSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../../../domain/json/json-bytes.js";
import { hasByteOrderMark, isBlank, type Line, lineOf, problemLine } from "./line.js";
import { CHUNK, grown, MAX_LINE, TOO_LONG } from "./read-lines.js";

const CUT = "is cut off: the file ends before the JSON document that it holds does";

export interface ElementRange {
  /** End of the reading: the size of the file at the lookup. */
  readonly to: number;
  /** Member with the array of records; `""` if the document is the array. */
  readonly member: string;
}

/**
 * Reads the elements of an array in a JSON document as if they were lines. The members before and after the array are one record each; a
 * truncated document yields its complete elements, and the rest as a problem. It holds one record at a time, and detects only brackets
 * and strings: the parser checks the content.
 * @param isEnough called before each chunk: true stops the reading. Default is to read everything
 * @returns false if `isEnough` stopped the reading
 */
export function* readElements(
  descriptor: number,
  range: ElementRange,
  onRecord: (line: Line) => void,
  isEnough: () => boolean = () => false,
): Generator<void, boolean> {
  const reading = new ElementReading(descriptor, range, onRecord);
  while (reading.hasMore) {
    if (isEnough()) return false;
    if (!reading.readChunk()) break;
    yield;
  }
  reading.end();
  return true;
}

/**
 * Turns members before the array (with a comma at the end) or after it (with a comma at the beginning) into an object of the same length.
 */
export function closeMembers(bytes: Uint8Array, from: number, to: number): void {
  if (bytes[from] === COMMA) bytes[from] = OPEN_BRACE;
  if (bytes[to - 1] === COMMA) bytes[to - 1] = CLOSE_BRACE;
}

/** `rest` follows the document, or is not an object at all. */
type Part = "before" | "head" | "elements" | "tail" | "rest";

const decoder = new TextDecoder();

class ElementReading {
  readonly #descriptor: number;
  readonly #to: number;
  readonly #member: string;
  readonly #onRecord: (line: Line) => void;
  #buffer: Buffer;
  /** Offset of the buffer in the file, and number of its filled bytes. */
  #at = 0;
  #held = 0;
  #part: Part = "before";
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** File offset of the current record's start; -1 for none, as below. */
  #start = -1;
  /** Last comma between members before the array. */
  #comma = -1;
  /** Newest name of a member, and its end. */
  #key = -1;
  #keyEnd = -1;
  #expectsKey = false;
  /** The record is too long for the buffer. */
  #isSkipped = false;
  #count = 0;

  constructor(descriptor: number, { to, member }: ElementRange, onRecord: (line: Line) => void) {
    this.#descriptor = descriptor;
    this.#to = to;
    this.#member = member;
    this.#onRecord = onRecord;
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(CHUNK, to)));
  }

  get hasMore(): boolean {
    return this.#at + this.#held < this.#to;
  }

  /** @returns false if the file was cut meanwhile */
  readChunk(): boolean {
    const from = this.#at + this.#held;
    const length = Math.min(this.#buffer.length - this.#held, this.#to - from);
    const read = readSync(this.#descriptor, this.#buffer, this.#held, length, from);
    if (read === 0) return false;
    const end = this.#held + read;
    const isMarked = from === 0 && hasByteOrderMark(this.#buffer, end);
    this.#scan(isMarked ? 3 : this.#held, end);
    this.#keep(end);
    return true;
  }

  end(): void {
    const at = this.#at + this.#held;
    if (this.#part === "before") return;
    if (this.#part === "rest") {
      this.#give(at);
      return;
    }
    // An element is complete before its comma.
    if (this.#part === "elements" && this.#depth === 2 && !this.#isInString) this.#give(at);
    const from = this.#start === -1 ? at : this.#start;
    this.#onRecord(problemLine(this.#count + 1, from, at - from, CUT));
  }

  #scan(begin: number, end: number): void {
    const buffer = this.#buffer;
    for (let i = begin; i < end; i++) {
      if (this.#isInString) {
        i = this.#endOfString(i, end);
        if (i < end) this.#isInString = false;
        continue;
      }
      const byte = buffer[i]!;
      if (isWhiteSpace(byte) || isBlank(byte)) continue;
      switch (this.#part) {
        case "before":
          this.#beginDocument(byte, this.#at + i);
          break;
        case "elements":
          this.#passElement(byte, i);
          break;
        case "head":
        case "tail":
          this.#passMember(byte, i);
          break;
        case "rest":
          if (this.#start === -1) this.#start = this.#at + i;
          return;
      }
    }
  }

  #beginDocument(byte: number, start: number): void {
    const isArray = this.#member === "" && byte === OPEN_BRACKET;
    this.#part = isArray ? "elements" : byte === OPEN_BRACE && this.#member !== "" ? "head" : "rest";
    this.#start = isArray ? -1 : start;
    // Elements lie two levels deep, as in a member's array.
    this.#depth = isArray ? 2 : 1;
    this.#expectsKey = true;
  }

  #passElement(byte: number, i: number): void {
    if (this.#depth === 2) {
      if (byte === COMMA || byte === CLOSE_BRACKET) {
        if (this.#start !== -1) this.#give(this.#at + i);
        if (byte === CLOSE_BRACKET) {
          // Another array may follow a document that is an array.
          this.#part = this.#member === "" ? "before" : "tail";
          this.#depth = 1;
        }
        return;
      }
      if (this.#start === -1) this.#start = this.#at + i;
    }
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && this.#depth > 2) this.#depth--;
  }

  #passMember(byte: number, i: number): void {
    switch (byte) {
      case QUOTE:
        if (this.#depth === 1 && this.#expectsKey) {
          this.#key = this.#at + i;
          this.#keyEnd = -1;
        }
        this.#isInString = true;
        return;
      case COLON:
        if (this.#depth === 1) this.#expectsKey = false;
        return;
      case COMMA:
        if (this.#depth !== 1) return;
        this.#expectsKey = true;
        if (this.#part === "head") this.#comma = this.#at + i;
        else if (this.#start === -1) this.#start = this.#at + i;
        return;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (byte === OPEN_BRACKET && this.#isArray()) this.#beginElements();
        this.#depth++;
        return;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#depth--;
        if (this.#depth > 0) return;
        // The end of the object alone is not a record.
        if (this.#start !== -1) this.#give(this.#at + i + 1);
        this.#part = "rest";
    }
  }

  #isArray(): boolean {
    const isValue = this.#part === "head" && this.#depth === 1 && !this.#expectsKey;
    if (!isValue || this.#keyEnd === -1) return false;
    const text = decoder.decode(this.#buffer.subarray(this.#key - this.#at, this.#keyEnd - this.#at + 1));
    return jsonIn(text) === this.#member;
  }

  #beginElements(): void {
    if (this.#comma === -1) this.#start = -1;
    else this.#give(this.#comma + 1);
    this.#part = "elements";
  }

  #give(end: number): void {
    if (this.#start === -1) return;
    this.#count++;
    const buffer = this.#buffer;
    const [from, to] = [this.#start - this.#at, end - this.#at];
    if (!this.#isSkipped && this.#part !== "rest") closeMembers(buffer, from, to);
    const line = this.#isSkipped
      ? problemLine(this.#count, this.#start, end - this.#start, TOO_LONG)
      : lineOf(buffer, from, to, this.#count, this.#at, false);
    if (line !== undefined) this.#onRecord(line);
    this.#start = -1;
    this.#isSkipped = false;
  }

  /** `end` if the string continues. */
  #endOfString(begin: number, end: number): number {
    const buffer = this.#buffer;
    // Local variables for the work per byte: most bytes of documents are in strings.
    const [quote, backslash] = [QUOTE, BACKSLASH];
    let isEscaped = this.#isEscaped;
    let i = begin;
    for (; i < end; i++) {
      const byte = buffer[i]!;
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) break;
    }
    this.#isEscaped = isEscaped;
    if (i < end && this.#depth === 1 && this.#key !== -1 && this.#keyEnd === -1) this.#keyEnd = this.#at + i;
    return i;
  }

  #keep(end: number): void {
    if (this.#start !== -1 && this.#at + end - this.#start >= MAX_LINE) this.#isSkipped = true;
    // The name of a member is necessary even if its record is skipped.
    const wanted = this.#isSkipped ? (this.#expectsKey ? this.#key : -1) : this.#start;
    const from = wanted < this.#at || this.#at + end - wanted >= MAX_LINE ? end : wanted - this.#at;
    this.#held = end - from;
    this.#at += from;
    const isLarge = this.#isSkipped && this.#buffer.length > 2 * CHUNK && this.#held < CHUNK;
    const target = isLarge ? Buffer.allocUnsafeSlow(CHUNK) : this.#buffer;
    this.#buffer.copy(target, 0, from, end);
    this.#buffer = this.#held === target.length ? grown(target) : target;
  }
}
