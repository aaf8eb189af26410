import { type OptionKind, wrongKind } from "./check-options.js";

/** @param expected continues "must be" */
export function kindOf(expected: string, isOne: (value: unknown) => boolean): OptionKind {
  return (name, value) => (isOne(value) ? undefined : wrongKind(name, expected, value));
}

/** A number that must lie in a range. */
export function numberOf(expected: string, isInRange: (value: number) => boolean): OptionKind {
  return (name, value) => {
    if (typeof value !== "number") return wrongKind(name, expected, value);
    return isInRange(value) ? undefined : new RangeError(`${name} is ${value}: it has to be ${expected}.`);
  };
}

/** @param what such as "a number of bytes" */
export function numberFrom(least: number, what: string): OptionKind {
  return numberOf(`${what} from ${least} up`, (value) => value >= least);
}

/** @param what such as "an integer" */
export function integerFrom(least: number, what = "an integer"): OptionKind {
  return numberOf(`${what} from ${least} up`, (value) => Number.isSafeInteger(value) && value >= least);
}

/** An object of anybody's making that has these methods: what else it has is its own affair. */
export function withMethods<Type>(typeName: string, methods: readonly (keyof Type & string)[]): OptionKind {
  return (name, value) => {
    const members = Object(value) as Readonly<Record<string, unknown>>;
    const missing = methods.filter((method) => typeof members[method] !== "function");
    if (missing.length === 0) return undefined;
    return new TypeError(`\`${name}\` is no ${typeName}: it has no ${missing.join(", no ")}.`);
  };
}

/** The same kind, of an option that has to be there. */
export function required(kind: OptionKind): OptionKind {
  return Object.assign((name: string, value: unknown) => kind(name, value), { isRequired: true });
}

export const FUNCTION = kindOf("a function", (value) => typeof value === "function");
export const BOOLEAN = kindOf("true or false", (value) => typeof value === "boolean");
export const TEXT = kindOf("a text", (value) => typeof value === "string");
export const FOLDER = kindOf("the path of a folder", (value) => typeof value === "string" && value !== "");
export const LIST = kindOf("an array", Array.isArray);
/** The longest time that a timer can wait: it would not wait at all for more. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const TIMEOUT_MS = numberOf(
  `a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
  (value) => value >= 1 && value <= MAX_TIMEOUT_MS,
);

/** Such as headers. What is iterated over, as `Headers` and `Map` are, would be taken for an empty object. */
export function isTextsByName(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Symbol.iterator in value) return false;
  return Object.values(value).every((text) => typeof text === "string");
}
