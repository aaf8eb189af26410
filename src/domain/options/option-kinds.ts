import { type OptionKind, wrongKind } from "./check-options.js";

/** @param expected continues "must be" */
export function kindOf(expected: string, isOne: (value: unknown) => boolean): OptionKind {
  return (name, value) => (isOne(value) ? undefined : wrongKind(name, expected, value));
}

export function numberOf(expected: string, isInRange: (value: number) => boolean): OptionKind {
  return (name, value) => {
    if (typeof value !== "number") return wrongKind(name, expected, value);
    return isInRange(value) ? undefined : new RangeError(`${name} is ${value}: it has to be ${expected}.`);
  };
}

export function numberFrom(least: number, what: string): OptionKind {
  return numberOf(`${what} from ${least} up`, (value) => value >= least);
}

export function integerFrom(least: number, what = "an integer"): OptionKind {
  return numberOf(`${what} from ${least} up`, (value) => Number.isSafeInteger(value) && value >= least);
}

export function withMethods<Type>(typeName: string, methods: readonly (keyof Type & string)[]): OptionKind {
  return (name, value) => {
    const members = Object(value) as Readonly<Record<string, unknown>>;
    const missing = methods.filter((method) => typeof members[method] !== "function");
    if (missing.length === 0) return undefined;
    return new TypeError(`\`${name}\` is no ${typeName}: it has no ${missing.join(", no ")}.`);
  };
}

export function required(kind: OptionKind): OptionKind {
  return Object.assign((name: string, value: unknown) => kind(name, value), { isRequired: true });
}

export const FUNCTION = kindOf("a function", (value) => typeof value === "function");
export const BOOLEAN = kindOf("true or false", (value) => typeof value === "boolean");
export const TEXT = kindOf("a text", (value) => typeof value === "string");
export const FOLDER = kindOf("the path of a folder", (value) => typeof value === "string" && value !== "");
export const LIST = kindOf("an array", Array.isArray);
/** Maximum of the platform's timers: longer ones fire at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const TIMEOUT_MS = numberOf(
  `a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
  (value) => value >= 1 && value <= MAX_TIMEOUT_MS,
);

/** Refuses `Headers` and `Map`: their entries are not members. */
export function isTextsByName(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Symbol.iterator in value) return false;
  return Object.values(value).every((text) => typeof text === "string");
}
