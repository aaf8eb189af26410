import { nearestName } from "./nearest-name.js";

/** Returns an error for a wrong value. Only numbers are in the message, because any other value may be a secret. */
export interface OptionKind {
  (name: string, value: unknown): TypeError | RangeError | undefined;
  /** Default is false: an `undefined` option is absent. */
  readonly isRequired?: boolean;
}

export type OptionTable<Options = { readonly [name: string]: unknown }> = {
  readonly [Name in keyof Options]-?: OptionKind | OptionTable;
};

export type OptionsOf<Settings> = {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
};

type ErrorClass = new (message: string) => Error;

/**
 * Refuses unknown names and values of the wrong kind. The caller uses the copy: later changes and getters have no effect.
 * @param Failure the error class, except if only numbers are out of range
 * @param of name of the surrounding option
 * @returns a deep copy; each option is read once
 * @throws RangeError for numbers out of range
 * @example
 * const OPTIONS = { onError: FUNCTION, timeoutMs: TIMEOUT_MS } satisfies OptionTable<Options>;
 * checkOptions(OPTIONS, { onErorr: log }); // TypeError: Unknown option 'onErorr'. Did you mean 'onError'?
 */
export function checkOptions<Options>(
  table: OptionTable,
  options: Options,
  Failure: ErrorClass = TypeError,
  of?: string,
): Options {
  const { copy, errors } = readOptions(table, options, of);
  if (errors.length === 0) return copy as Options;
  const isRange = errors.every((error) => error instanceof RangeError);
  throw new (isRange ? RangeError : Failure)(errors.map(({ message }) => message).join(" "));
}

/** @throws TypeError for a value that is not a list */
export function checkList<Options>(table: OptionTable, name: string, list: unknown): readonly Options[] {
  if (!Array.isArray(list)) throw wrongKind(name, "an array", list);
  return Array.from(list, (options, i) => checkOptions(table, options, TypeError, `${name}[${i}]`));
}

export function listOf(table: OptionTable): OptionKind {
  return (name, value) => {
    if (!Array.isArray(value)) return wrongKind(name, "an array", value);
    return value.flatMap((options, i) => readOptions(table, options, `${name}[${i}]`).errors)[0];
  };
}

export interface CheckedOptions {
  readonly copy: Readonly<Record<string, unknown>>;
  readonly errors: readonly (TypeError | RangeError)[];
}

export function readOptions(table: OptionTable, options: unknown, of?: string): CheckedOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    return { copy: {}, errors: [wrongKind(of ?? "options", "an object", options)] };
  }
  const errors: (TypeError | RangeError)[] = nameErrors(table, options, of);
  const copy: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(table)) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    const full = of === undefined ? name : `${of}.${name}`;
    if (value === undefined && !(typeof kind === "function" && kind.isRequired)) continue;
    if (typeof kind !== "function") {
      const read = readOptions(kind, value, full);
      copy[name] = read.copy;
      errors.push(...read.errors);
      continue;
    }
    copy[name] = Array.isArray(value) ? [...value] : value;
    const error = kind(full, copy[name]);
    if (error !== undefined) errors.push(error);
  }
  return { copy, errors };
}

/**
 * Does not check values: they may come from a framework.
 * @throws TypeError for a name that is not in the table
 */
export function checkNames(table: object, record: object): void {
  const [error] = nameErrors(table, record);
  if (error !== undefined) throw error;
}

function nameErrors(table: object, options: object, of?: string): TypeError[] {
  const errors: TypeError[] = [];
  for (const name in options) {
    if (Object.hasOwn(table, name) || isOfEveryObject(options, name)) continue;
    const place = of === undefined ? "" : `\`${of}\`: `;
    errors.push(new TypeError(`${place}Unknown option '${name}'. ${hint(table, name)}`));
  }
  return errors;
}

/** States only the kind of the value: it may be a secret. */
export function wrongKind(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`\`${name}\` must be ${expected}, but it is ${nameOfKind(value)}.`);
}

function nameOfKind(value: unknown): string {
  if (value === "") return "empty";
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "an array" : `of type ${typeof value}`;
}

/** A member that a library added to `Object.prototype` is not an option. */
function isOfEveryObject(options: object, name: string): boolean {
  return name in Object.prototype && !Object.hasOwn(options, name);
}

function hint(table: object, name: string): string {
  for (const [place, kind] of Object.entries(table)) {
    if (typeof kind === "object" && Object.hasOwn(kind, name)) {
      return `\`${name}\` belongs into \`${place}\`.`;
    }
  }
  const names = Object.keys(table);
  const nearest = nearestName(name, names);
  return nearest === undefined ? `The options are ${names.join(", ")}.` : `Did you mean '${nearest}'?`;
}
