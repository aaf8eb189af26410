import { instantOf } from "../../domain/instant.js";
import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { MAX_KEPT } from "../../domain/json-text/record-member.js";
import { RecordScanner } from "../../domain/json-text/record-scanner.js";
import { plainInstant, plainInteger } from "../../domain/json-text/short-values.js";
import { sequenceOf } from "../../domain/merge-trace.js";
import { ShortenedJson } from "./shortened-json.js";

/**
 * One line of a file that is not blank: a record, or one that could not be read. It is only lent: the next line may come in
 * the same object.
 */
export interface JsonLine {
  /** Counted from 1, blank lines included. Only meaningful where the file was read from its beginning. */
  readonly number: number;
  /** Where the record starts in the file, and how long it is, in bytes; white space around it is no part of it. */
  readonly start: number;
  readonly length: number;
  /**
   * The record; only the members that were asked for where some were, or where it is longer than {@link LONG_LINE}: of such a
   * one, for whoever asked for that, all of it with its long strings cut.
   */
  readonly value: JsonObject | undefined;
  /** Why there is no record. */
  readonly problem: string | undefined;
  /** The members asked for, by the index of their path, without making objects: where only members were asked for. */
  readonly members?: MemberValues;
}

/** The values of the members of a record that was only scanned. */
export interface MemberValues {
  /** The text of a string, or `""`. */
  text(path: number): string;
  /** A sequence as a key, as {@link sequenceOf} gives it. */
  sequence(path: number): number;
  /** Milliseconds since the epoch; `NaN` for a value that is no instant. */
  instant(path: number): number;
}

/** Longer lines are read in pieces and never held as a whole. */
export const LONG_LINE = 1 << 20;

export const NOT_JSON = "is not valid JSON";
export const NO_OBJECT = "is valid JSON, but no object";

/** A byte order mark is part of what it decodes: at the start of a line it is no JSON. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Parses a line that is in memory.
 *
 * @returns `undefined` for a blank line
 */
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

/** A text of more characters than this may have more bytes than a scanner keeps: six are the longest escape of one. */
const SURELY_KEPT = MAX_KEPT / 6 - 2;

/** The members of a record that was parsed. It is only lent, like the line. */
export class ParsedMembers implements MemberValues {
  readonly #paths: readonly (readonly string[])[];
  #record: JsonObject = {};
  /** Whether a member is so long that {@link LineScan} may not tell it: then that has to be asked. */
  isLong = false;

  /** @param paths the members asked for, as {@link RecordScanner} takes them */
  constructor(paths: readonly string[]) {
    this.#paths = paths.map((path) => path.split("."));
  }

  /** Parses a line as {@link parseLine} does, and tells its members. */
  parseLine(...line: Parameters<typeof parseLine>): JsonLine | undefined {
    const parsed = parseLine(...line);
    this.isLong = false;
    if (parsed?.value === undefined) return parsed;
    this.#record = parsed.value;
    this.isLong = this.#paths.some((_, path) => this.text(path).length > SURELY_KEPT);
    return { ...parsed, members: this };
  }

  text(path: number): string {
    const value = this.#value(path);
    return typeof value === "string" ? value : "";
  }

  sequence(path: number): number {
    return sequenceOf(this.#value(path));
  }

  instant(path: number): number {
    return instantOf(this.#value(path)) ?? Number.NaN;
  }

  #value(path: number): unknown {
    let value: unknown = this.#record;
    for (const name of this.#paths[path]!) {
      value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
    return value;
  }
}

/** White space inside a line: a carriage return is part of its end, and counts here. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/**
 * Reads lines in pieces, without making objects of them. What it gives as the record are the members asked for, where they
 * are short: for lines that are too long to be held, and for whoever wants no more of a line.
 */
export class LineScan implements JsonLine, MemberValues {
  readonly #scanner: RecordScanner;
  readonly #paths: readonly string[];
  /** The texts that each path gave lately: most records repeat one of a few. */
  readonly #texts: readonly RecentTexts[];
  readonly #shortened: ShortenedJson | undefined;
  readonly members: MemberValues = this;
  number = 0;
  start = 0;
  length = 0;
  problem: string | undefined;
  #read = 0;

  /**
   * @param paths the members asked for, as {@link RecordScanner} takes them
   * @param shortens whether the whole record is kept, with its long strings cut
   */
  constructor(paths: readonly string[], shortens: boolean) {
    this.#paths = paths;
    this.#shortened = shortens ? new ShortenedJson() : undefined;
    this.#scanner = new RecordScanner(paths);
    this.#texts = paths.map(() => new RecentTexts());
  }

  begin(number: number, offset: number): void {
    this.#scanner.reset();
    this.#shortened?.reset();
    this.number = number;
    this.start = offset;
    this.length = 0;
    this.#read = 0;
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    this.#scanner.push(bytes, from, to);
    this.#shortened?.push(bytes, from, to);
    for (let i = to - 1; i >= from; i--) {
      if (isBlank(bytes[i]!)) continue;
      this.length = this.#read + (i - from) + 1;
      break;
    }
    this.#read += to - from;
  }

  /** @returns `undefined` for a blank line */
  end(): JsonLine | undefined {
    const verdict = this.#scanner.finish();
    if (verdict === "blank") return undefined;
    this.problem = verdict === "object" ? undefined : verdict === "value" ? NO_OBJECT : NOT_JSON;
    return this;
  }

  get value(): JsonObject | undefined {
    if (this.problem !== undefined) return undefined;
    const shortened = this.#shortened?.parse();
    if (isJsonObject(shortened)) return shortened;
    const members: Record<string, unknown> = {};
    this.#paths.forEach((path, i) => {
      const [outer = "", inner] = path.split(".");
      const value = this.#scanner.scalar(i);
      if (value === undefined) return;
      if (inner === undefined) members[outer] = value;
      else members[outer] = { ...(members[outer] as JsonObject | undefined), [inner]: value };
    });
    return members;
  }

  text(path: number): string {
    const length = this.#scanner.end(path) - this.#scanner.start(path);
    const bytes = this.#scanner.bytes(path);
    const recent = this.#texts[path]!;
    const known = this.#scanner.start(path) < 0 ? "" : recent.find(bytes, length);
    if (known !== undefined) return known;
    const value = this.#scanner.scalar(path);
    if (typeof value !== "string") return "";
    recent.add(bytes.slice(0, length), value);
    return value;
  }

  sequence(path: number): number {
    const length = this.#scanner.end(path) - this.#scanner.start(path);
    return plainInteger(this.#scanner.bytes(path), length) ?? sequenceOf(this.#scanner.scalar(path));
  }

  instant(path: number): number {
    const length = this.#scanner.end(path) - this.#scanner.start(path);
    const plain = plainInstant(this.#scanner.bytes(path), length);
    return plain ?? instantOf(this.#scanner.scalar(path)) ?? Number.NaN;
  }
}

/** How many texts are kept for each member. */
const RECENT = 8;

/** The texts that a member had lately, by the bytes that spell them. */
class RecentTexts {
  readonly #bytes: Uint8Array[] = [];
  readonly #texts: string[] = [];
  #oldest = 0;

  find(bytes: Uint8Array, length: number): string | undefined {
    for (let i = 0; i < this.#bytes.length; i++) {
      if (isEqual(bytes, length, this.#bytes[i]!)) return this.#texts[i];
    }
    return undefined;
  }

  add(bytes: Uint8Array, text: string): void {
    this.#bytes[this.#oldest] = bytes;
    this.#texts[this.#oldest] = text;
    this.#oldest = (this.#oldest + 1) % RECENT;
  }
}

function isEqual(bytes: Uint8Array, length: number, other: Uint8Array): boolean {
  if (length !== other.length) return false;
  for (let i = 0; i < length; i++) if (bytes[i] !== other[i]) return false;
  return true;
}
