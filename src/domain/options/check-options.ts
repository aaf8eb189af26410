import { nearestName } from "./nearest-name.js";

/**
 * What is wrong with the value of an option: a `TypeError` where it is of another kind, a `RangeError` where it is a number out of
 * range. Only such a number is repeated in its message, because anything else may be a secret.
 */
export interface OptionKind {
  (name: string, value: unknown): TypeError | RangeError | undefined;
  /** Whether the option has to be there. Default is no: one that is `undefined` is absent. */
  readonly isRequired?: boolean;
}

/** What the value of each option may be. Options that lie in an option have a table of their own. */
export type OptionTable<Options = { readonly [name: string]: unknown }> = {
  readonly [Name in keyof Options]-?: OptionKind | OptionTable;
};

/** The settings of something as options, of which each may be left out. */
export type OptionsOf<Settings> = {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
};

type ErrorClass = new (message: string) => Error;

/**
 * Refuses names that are not in the table, and values of the wrong kind.
 *
 * @param Failure what is thrown unless numbers out of range are all that is wrong
 * @param of what the options lie in, where that has a name
 * @throws RangeError for numbers that are out of range
 *
 * @example
 * const OPTIONS = { onError: FUNCTION, timeoutMs: TIMEOUT_MS } satisfies OptionTable<Options>;
 * checkOptions(OPTIONS, { onErorr: log }); // TypeError: Unknown option 'onErorr'. Did you mean 'onError'?
 */
export function checkOptions(
  table: OptionTable,
  options: unknown,
  Failure: ErrorClass = TypeError,
  of?: string,
): void {
  const errors = optionErrors(table, options, of);
  if (errors.length === 0) return;
  const isRange = errors.every((error) => error instanceof RangeError);
  throw new (isRange ? RangeError : Failure)(errors.map(({ message }) => message).join(" "));
}

/**
 * The same for each member of a list.
 *
 * @throws TypeError where that is no list
 */
export function checkList(table: OptionTable, name: string, list: unknown): void {
  if (!Array.isArray(list)) throw wrongKind(name, "an array", list);
  for (const [i, options] of list.entries()) checkOptions(table, options, TypeError, `${name}[${i}]`);
}

/** An option that is a list, each of whose members has a table. */
export function listOf(table: OptionTable): OptionKind {
  return (name, value) => {
    if (!Array.isArray(value)) return wrongKind(name, "an array", value);
    return value.flatMap((options, i) => optionErrors(table, options, `${name}[${i}]`))[0];
  };
}

/** All that {@link checkOptions} refuses, each with a message of whole sentences. */
export function optionErrors(
  table: OptionTable,
  options: unknown,
  of?: string,
): readonly (TypeError | RangeError)[] {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    return [wrongKind(of ?? "options", "an object", options)];
  }
  const errors: (TypeError | RangeError)[] = [];
  for (const name in options) {
    if (Object.hasOwn(table, name) || isOfEveryObject(options, name)) continue;
    const place = of === undefined ? "" : `\`${of}\`: `;
    errors.push(new TypeError(`${place}Unknown option '${name}'. ${hint(table, name)}`));
  }
  for (const [name, kind] of Object.entries(table)) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    const full = of === undefined ? name : `${of}.${name}`;
    if (typeof kind !== "function") {
      if (value !== undefined) errors.push(...optionErrors(kind, value, full));
    } else if (value !== undefined || kind.isRequired) {
      const error = kind(full, value);
      if (error !== undefined) errors.push(error);
    }
  }
  return errors;
}

/** `but it is …`: nothing of a value but its kind. */
export function wrongKind(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`\`${name}\` must be ${expected}, but it is ${nameOfKind(value)}.`);
}

function nameOfKind(value: unknown): string {
  if (value === "") return "empty";
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "an array" : `of type ${typeof value}`;
}

/** What a library added to `Object.prototype` is no option. */
function isOfEveryObject(options: object, name: string): boolean {
  return name in Object.prototype && !Object.hasOwn(options, name);
}

function hint(table: OptionTable, name: string): string {
  for (const [place, kind] of Object.entries(table)) {
    if (typeof kind !== "function" && Object.hasOwn(kind, name)) {
      return `\`${name}\` belongs into \`${place}\`.`;
    }
  }
  const names = Object.keys(table);
  const nearest = nearestName(name, names);
  return nearest === undefined ? `The options are ${names.join(", ")}.` : `Did you mean '${nearest}'?`;
}
