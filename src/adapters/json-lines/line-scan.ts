import { instantOf } from "../../domain/instant.js";
import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { RecordScanner } from "../../domain/json-text/record-scanner.js";
import { plainInstant, plainInteger } from "../../domain/json-text/short-values.js";
import { sequenceOf } from "../../domain/merge-trace.js";
import { isBlank, type JsonLine, type MemberValues, NO_OBJECT, NOT_JSON } from "./json-line.js";
import { ShortenedJson } from "./shortened-json.js";

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
