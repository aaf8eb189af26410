/** The type of `{…}` from `JSON.parse`: a record with unchecked fields. */
export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Maximum depth of arrays and objects that is read from a recorded value. The platform and most code are recursive, and some thousands of
 * calls fill the stack. Decoders of protobuf use the same limit.
 */
export const MOST_LEVELS = 100;

/** Replaces deeper values. */
export const CUT_OFF = "…[nested deeper]";

/** A value of JSON with {@link CUT_OFF} below its first {@link MOST_LEVELS} levels; itself where it has no more. */
export function cutDeep(value: unknown, levels: number = MOST_LEVELS): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return CUT_OFF;
  return Array.isArray(value) ? cutElements(value, levels - 1) : cutMembers(value as JsonObject, levels - 1);
}

function cutElements(list: readonly unknown[], levels: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const shallow = cutDeep(list[i], levels);
    if (shallow === list[i]) continue;
    copy ??= [...list];
    copy[i] = shallow;
  }
  return copy ?? list;
}

function cutMembers(object: JsonObject, levels: number): JsonObject {
  let copy: { [name: string]: unknown } | undefined;
  for (const name of Object.keys(object)) {
    const shallow = cutDeep(object[name], levels);
    if (shallow === object[name]) continue;
    copy ??= { ...object };
    copy[name] = shallow;
  }
  return copy ?? object;
}

/**
 * Parses a JSON text up to the maximum depth.
 *
 * @throws SyntaxError for invalid JSON
 */
export function parseJson(text: string): unknown {
  return cutDeep(JSON.parse(text));
}

/**
 * Parses a JSON text as a record, up to the maximum depth; a value that is not an object becomes the `value` of an object.
 *
 * @throws SyntaxError for invalid JSON
 */
export function recordIn(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : { value };
}

/** Parses a JSON text up to the maximum depth; `undefined` for invalid JSON. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The elements of a JSON text that is an array; none of any other text. */
export function listIn(text: string): readonly unknown[] {
  const value = jsonIn(text);
  return Array.isArray(value) ? value : [];
}

/** The field as an object; `{}` for any other value, so that a reader can access its fields. */
export function objectField(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

/** The field where it is a string with something in it. */
export function textField(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A value as a label: a string with something in it, or the digits of a number. Nothing else is ever turned into text. */
export function labelOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The field as a label, by {@link labelOf}. */
export function labelField(object: JsonObject, key: string): string | undefined {
  return labelOf(object[key]);
}

/** A number as a count: an integer from 0 to 2⁵³ - 1, what lies outside cut to that range; 0 for anything else. */
export function countOf(value: unknown): number {
  if (typeof value !== "number" || !(value > 0)) return 0;
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}

/** The field as a count, by {@link countOf}. */
export function countField(object: JsonObject, key: string): number {
  return countOf(object[key]);
}

/** True if {@link countOf} reads another value than the field has. A field that is `null` counts as absent. */
export function isOddCount(object: JsonObject, key: string): boolean {
  const value = object[key] ?? undefined;
  return value !== undefined && value !== countOf(value);
}

/** The strings of a field that is an array; whatever else the array holds is passed over. */
export function textsField(object: JsonObject, key: string): readonly string[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** Parses a text that is JSON; returns anything else unchanged. */
export function parsedText(value: unknown): unknown {
  return typeof value === "string" ? (jsonIn(value) ?? value) : value;
}

/** The members that are not undefined. */
export function present<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const found: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) found[name] = value;
  return found as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
