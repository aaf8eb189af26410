import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { RecordScanner } from "../../domain/json-text/record-scanner.js";

/** One line of a file that is not blank: a record, or one that could not be read. */
export interface JsonLine {
  /** Counted from 1, blank lines included. Only meaningful where the file was read from its beginning. */
  readonly number: number;
  /** Where the record starts in the file, and how long it is, in bytes; white space around it is no part of it. */
  readonly start: number;
  readonly length: number;
  /** The record; of a line of more than {@link LONG_LINE} bytes only the members that were asked for. */
  readonly value: JsonObject | undefined;
  /** Why there is no record. */
  readonly problem: string | undefined;
}

/** Longer lines are read in pieces and never held as a whole. */
export const LONG_LINE = 1 << 20;

export const NOT_JSON = "is not valid JSON";
export const NO_OBJECT = "is valid JSON, but no object";

const decoder = new TextDecoder();

/** @returns `undefined` for a blank line */
export function parseLine(
  bytes: Uint8Array,
  from: number,
  to: number,
  number: number,
  offset: number,
): JsonLine | undefined {
  let start = from;
  let end = to;
  while (start < end && isBlank(bytes[start]!)) start++;
  while (end > start && isBlank(bytes[end - 1]!)) end--;
  if (start === end) return undefined;
  const place = { number, start: offset + start - from, length: end - start };
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes.subarray(start, end)));
  } catch {
    return { ...place, value: undefined, problem: NOT_JSON };
  }
  return isJsonObject(value)
    ? { ...place, value, problem: undefined }
    : { ...place, value: undefined, problem: NO_OBJECT };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** Reads a long line in pieces. What it gives as the record are the members asked for, where they are short. */
export class LongLine {
  readonly #scanner: RecordScanner;
  readonly #paths: readonly string[];
  #number = 0;
  #start = 0;
  #end = 0;
  #length = 0;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#scanner = new RecordScanner(paths);
  }

  begin(number: number, offset: number): void {
    this.#scanner.reset();
    this.#number = number;
    this.#start = offset;
    this.#end = offset;
    this.#length = 0;
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    this.#scanner.push(bytes, from, to);
    for (let i = to - 1; i >= from; i--) {
      if (isBlank(bytes[i]!)) continue;
      this.#end = this.#start + this.#length + (i - from) + 1;
      break;
    }
    this.#length += to - from;
  }

  end(): JsonLine {
    const place = { number: this.#number, start: this.#start, length: this.#end - this.#start };
    const verdict = this.#scanner.finish();
    if (verdict === "object") return { ...place, value: this.#excerpt(), problem: undefined };
    return { ...place, value: undefined, problem: verdict === "value" ? NO_OBJECT : NOT_JSON };
  }

  #excerpt(): JsonObject {
    const excerpt: Record<string, unknown> = {};
    this.#paths.forEach((path, i) => {
      const [outer = "", inner] = path.split(".");
      const value = this.#scanner.scalar(i);
      if (value === undefined) return;
      if (inner === undefined) excerpt[outer] = value;
      else excerpt[outer] = { ...(excerpt[outer] as JsonObject | undefined), [inner]: value };
    });
    return excerpt;
  }
}
