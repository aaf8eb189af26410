import { isAscii } from "node:buffer";
import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { type Line, NO_OBJECT, NOT_JSON } from "./read-lines.js";

/** What a line says, or why it says nothing. */
export type ParsedLine =
  | { readonly record: JsonObject; readonly problem: undefined }
  | { readonly record: undefined; readonly problem: string };

/** The record of a line, parsed whole. */
export function parseLine({ bytes, from, to, problem }: Line): ParsedLine {
  if (problem !== undefined) return { record: undefined, problem };
  let value: unknown;
  try {
    value = JSON.parse(decodeText(bytes, from, to));
  } catch (error) {
    if (error instanceof SyntaxError) return { record: undefined, problem: NOT_JSON };
    throw error;
  }
  return isJsonObject(value)
    ? { record: value, problem: undefined }
    : { record: undefined, problem: NO_OBJECT };
}

/** UTF-8 as text. Text of ASCII alone, which most records are, is only copied. */
export function decodeText(bytes: Uint8Array, from: number, to: number): string {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  return part.toString(isAscii(part) ? "latin1" : "utf8");
}
