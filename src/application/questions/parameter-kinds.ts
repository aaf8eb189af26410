/** Constraints of a value, in the words of JSON Schema. */
export interface ParameterSchema {
  readonly type: "string" | "integer" | "array" | "boolean";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ParameterSchema;
  readonly minItems?: number;
}

/**
 * Constraints of a parameter.
 *
 * @example
 * const limit = integer(1, 1_000);
 * limit.problemOf(0); // "must be an integer from 1 to 1000."
 */
export interface Parameter<Value = unknown> {
  readonly schema: ParameterSchema;
  /** The violated constraint, which continues the parameter's name; `undefined` for a valid value. */
  readonly problemOf: (value: unknown) => string | undefined;
  readonly value?: Value;
}

interface TextBounds {
  readonly min?: number;
  readonly max?: number;
  /** Text for every invalid value. Default is `must be a text.`, or `must not be empty.` */
  readonly must?: string;
  readonly problemOf?: (text: string) => string | undefined;
}

export function text({ min = 0, max, must, problemOf }: TextBounds = {}): Parameter<string> {
  const problem = must ?? (min > 0 ? "must not be empty." : "must be a text.");
  return {
    schema: {
      type: "string",
      ...(min > 0 && { minLength: min }),
      ...(max !== undefined && { maxLength: max }),
    },
    problemOf(value) {
      if (typeof value !== "string") return value === undefined ? problem : (must ?? "must be a text.");
      return value.length < min || value.length > (max ?? value.length) ? problem : problemOf?.(value);
    },
  };
}

/** @param missing text for a missing value. Default is the text for an invalid one */
export function integer(min: number, max: number, missing?: string): Parameter<number> {
  const problem = `must be an integer from ${min} to ${max}.`;
  return {
    schema: { type: "integer", minimum: min, maximum: max },
    problemOf(value) {
      if (value === undefined) return missing ?? problem;
      return Number.isInteger(value) && min <= (value as number) && (value as number) <= max
        ? undefined
        : problem;
    },
  };
}

export function oneOf<Value extends string>(values: readonly Value[]): Parameter<Value> {
  const problem = `must be one of ${values.join(", ")}.`;
  return {
    schema: { type: "string", enum: values },
    problemOf: (value) => (values.some((one) => one === value) ? undefined : problem),
  };
}

export function someOf<Value extends string>(values: readonly Value[]): Parameter<readonly Value[]> {
  const { schema, problemOf } = oneOf(values);
  const problem = `must be some of ${values.join(", ")}, with commas between them.`;
  return {
    schema: { type: "array", items: schema, minItems: 1 },
    problemOf(value) {
      const isGood =
        Array.isArray(value) && value.length > 0 && value.every((one) => problemOf(one) === undefined);
      return isGood ? undefined : problem;
    },
  };
}

export function texts(bounds: { readonly min: number; readonly max: number }): Parameter<readonly string[]> {
  const { schema, problemOf } = text(bounds);
  const problem = `must be texts of ${bounds.min} to ${bounds.max} characters, with commas between them.`;
  return {
    schema: { type: "array", items: schema, minItems: 1 },
    problemOf(value) {
      const isGood =
        Array.isArray(value) && value.length > 0 && value.every((one) => problemOf(one) === undefined);
      return isGood ? undefined : problem;
    },
  };
}
