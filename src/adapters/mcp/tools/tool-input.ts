import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { Parameter, ParameterSchema } from "../../../application/questions/parameter-kinds.js";
import { nearestName } from "../../../domain/options/nearest-name.js";

export interface Argument<Value = unknown> {
  readonly parameter: Parameter;
  /** Empty if the name is sufficient. */
  readonly description: string;
  readonly isRequired: boolean;
  readonly preset?: Value | undefined;
}

export function required<Value>(parameter: Parameter<Value>, description: string): Argument<Value> {
  return { parameter, description, isRequired: true };
}

export function optional<Value>(
  parameter: Parameter<Value>,
  description: string,
): Argument<Value | undefined> {
  return { parameter, description, isRequired: false };
}

export function preset<Value>(
  parameter: Parameter<Value>,
  value: Value,
  description: string,
): Argument<Value> {
  return { parameter, description, isRequired: false, preset: value };
}

export type Arguments = Readonly<Record<string, Argument>>;

export type ArgumentValues<All extends Arguments> = {
  readonly [Name in keyof All]: All[Name] extends Argument<infer Value> ? Value : never;
};

/** The Standard Schema that the SDK requires: https://standardschema.dev. It rejects other arguments. */
export function toolInput<All extends Arguments>(
  all: All,
): StandardSchemaWithJSON<unknown, ArgumentValues<All>> {
  const schema = () => jsonSchemaOf(all);
  return {
    "~standard": {
      version: 1,
      vendor: "agent-inspector",
      validate(input) {
        const issues = problemsOf(all, input);
        return issues.length > 0 ? { issues } : { value: withPresets(all, input as object) };
      },
      jsonSchema: { input: schema, output: schema },
    },
  };
}

function problemsOf(all: Arguments, input: unknown): { readonly message: string; readonly path: string[] }[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return [{ message: "The arguments must be an object.", path: [] }];
  }
  const unknown = Object.keys(input)
    .filter((name) => !Object.hasOwn(all, name))
    .map((name) => {
      const nearest = nearestName(name, Object.keys(all));
      const hint = nearest === undefined ? "" : ` Did you mean '${nearest}'?`;
      return { message: `is no argument of this tool.${hint}`, path: [name] };
    });
  const wrong = Object.entries(all).flatMap(([name, { parameter, isRequired }]) => {
    const value = (input as Readonly<Record<string, unknown>>)[name];
    const problem = value === undefined && !isRequired ? undefined : parameter.problemOf(value);
    return problem === undefined ? [] : [{ message: problem, path: [name] }];
  });
  return [...unknown, ...wrong];
}

function withPresets<All extends Arguments>(all: All, input: object): ArgumentValues<All> {
  const presets = Object.entries(all).flatMap(([name, argument]) =>
    argument.preset === undefined ? [] : [[name, argument.preset] as const],
  );
  const present = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...presets, ...present]) as ArgumentValues<All>;
}

function jsonSchemaOf(all: Arguments): Record<string, unknown> {
  const properties = Object.entries(all).map(([name, { parameter, description, preset: value }]) => [
    name,
    {
      ...publishedSchema(parameter.schema),
      ...(description !== "" && { description }),
      ...(value !== undefined && !Array.isArray(value) && { default: value }),
    },
  ]);
  const names = Object.keys(all).filter((name) => all[name]!.isRequired);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(names.length > 0 && { required: names }),
    additionalProperties: false,
  };
}

/** Omits bounds that no caller reaches, to keep the schema short; they are still checked. */
function publishedSchema({ type, enum: values, items, maximum }: ParameterSchema): object {
  return {
    type,
    ...(values !== undefined && { enum: values }),
    ...(items !== undefined && { items: publishedSchema(items) }),
    ...(maximum !== undefined && maximum <= MAX_PUBLISHED && { maximum }),
  };
}

const MAX_PUBLISHED = 1_000;
