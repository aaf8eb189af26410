import { instantOf } from "../../domain/instant.js";
import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { MAX_KEPT } from "../../domain/json-text/record-member.js";
import { sequenceOf } from "../../domain/merge-trace.js";
import { type JsonLine, type MemberValues, parseLine } from "./json-line.js";

/** A text of more characters than this may have more bytes than a scanner keeps: six are the longest escape of one. */
const SURELY_KEPT = MAX_KEPT / 6 - 2;

/** The members of a record that was parsed. It is only lent, like the line. */
export class ParsedMembers implements MemberValues {
  readonly #paths: readonly (readonly string[])[];
  #record: JsonObject = {};
  /** Whether a member is so long that `LineScan` may not tell it: then that has to be asked. */
  isLong = false;

  /** @param paths the members asked for, as `RecordScanner` takes them */
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
