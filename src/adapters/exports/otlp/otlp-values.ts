import { isJsonObject, type JsonObject, MOST_LEVELS } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";

/** The JSON of OTLP: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */

/** `undefined` and `null` are omitted. */
export type Attributes = { readonly [name: string]: unknown };

export function attributeList(attributes: Attributes): readonly JsonObject[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ({ key, value: anyValue(value, MOST_LEVELS) }));
}

function anyValue(value: unknown, levels: number): JsonObject {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      // Many JSON readers cannot represent integers of 64 bits.
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (levels === 0) return { stringValue: jsonTextOf(value) ?? "" };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((one) => anyValue(one, levels - 1)) } };
  if (!isJsonObject(value)) return {};
  const values = Object.entries(value).map(([key, one]) => ({ key, value: anyValue(one, levels - 1) }));
  return { kvlistValue: { values } };
}

/**
 * Texts and numbers stay unchanged, other values become JSON text: backends accept no others.
 * @param looksLikeJson called for a text that a reader could mistake for JSON text or for a missing value
 */
export function plainAttribute(value: unknown, looksLikeJson: () => void): unknown {
  if (typeof value === "string") {
    if (value === "" || /^\s*[[{"]/.test(value)) looksLikeJson();
    return value;
  }
  return typeof value === "object" && value !== null ? jsonTextOf(value) : value;
}

const NANOSECONDS = 1_000_000;

/**
 * Returns digits.
 * @param instant milliseconds, as an integer
 * @param offset nanoseconds to add, fewer than a million
 */
export function nanoseconds(instant: number, offset: number): string {
  if (instant <= 0) return String(offset);
  return `${instant}${String(offset).padStart(String(NANOSECONDS - 1).length, "0")}`;
}
