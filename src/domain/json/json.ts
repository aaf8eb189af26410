export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Maximum depth of a recorded value: most code is recursive, and some thousands of calls fill the stack. Protobuf decoders have the same
 * limit.
 */
export const MOST_LEVELS = 100;

export const CUT_OFF = "…[nested deeper]";

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

/** @throws SyntaxError for invalid JSON */
export function parseJson(text: string): unknown {
  return cutDeep(JSON.parse(text));
}

/**
 * A value that is not an object becomes the `value` of an object.
 * @throws SyntaxError for invalid JSON
 */
export function recordIn(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : { value };
}

export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function listIn(text: string): readonly unknown[] {
  const value = jsonIn(text);
  return Array.isArray(value) ? value : [];
}

export function objectField(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

/** `undefined` for an empty string. */
export function textField(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Non-empty strings and finite numbers only. */
export function labelOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function labelField(object: JsonObject, key: string): string | undefined {
  return labelOf(object[key]);
}

/** Clamps to 0 … 2⁵³ - 1. */
export function countOf(value: unknown): number {
  if (typeof value !== "number" || !(value > 0)) return 0;
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}

export function countField(object: JsonObject, key: string): number {
  return countOf(object[key]);
}

/** `null` counts as absent. */
export function isOddCount(object: JsonObject, key: string): boolean {
  const value = object[key] ?? undefined;
  return value !== undefined && value !== countOf(value);
}

export function textsField(object: JsonObject, key: string): readonly string[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** Returns anything but JSON text unchanged. */
export function parsedText(value: unknown): unknown {
  return typeof value === "string" ? (jsonIn(value) ?? value) : value;
}

export function present<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const fields: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) fields[name] = value;
  return fields as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
