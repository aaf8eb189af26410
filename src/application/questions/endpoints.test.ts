import { describe, expect, it } from "vitest";
import { openapi, operationOf, schemaNamed } from "../../../test/support/openapi.js";
import { ENDPOINTS, type Endpoint, type EndpointId } from "./endpoints.js";
import type { ParameterName } from "./parameter-values.js";
import { PARAMETERS, parameterOf } from "./parameters.js";

const ROWS = Object.entries(ENDPOINTS) as [EndpointId, Endpoint][];

/** Parts of `docs/openapi.yaml` that are references. An id has more rules than its bounds can express. */
const NAMED = {
  Id: PARAMETERS.sessionId,
  SessionStatus: PARAMETERS.status,
  ContentKind: { schema: PARAMETERS.in.schema.items! },
};

/** A schema by what it allows, without what is there for people. */
function bounds(schema: object): object {
  const { description: __, pattern: ___, $ref, items, ...rest } = schema as Readonly<Record<string, unknown>>;
  const named = typeof $ref === "string" ? $ref.split("/").at(-1)! : undefined;
  return {
    ...(named === undefined ? {} : bounds(NAMED[named as keyof typeof NAMED].schema)),
    ...(items === undefined ? {} : { items: bounds(items as object) }),
    ...rest,
  };
}

describe("The table of endpoints and docs/openapi.yaml", () => {
  it("have the same operations, in one order", () => {
    const documented = Object.entries(openapi.paths).map(([path, { get }]) => [get.operationId, path]);
    expect(documented).toEqual(ROWS.map(([id, { path }]) => [id, path]));
  });

  it.each(ROWS)("have the same parameters of %s, with the same bounds and defaults", (id, row) => {
    const { path, required, optional, defaults, answer } = row;
    const expected = [...required, ...optional].map((name: ParameterName) => ({
      name,
      in: path.includes(`{${name}}`) ? "path" : "query",
      required: required.includes(name),
      schema: {
        ...bounds(parameterOf(id, name).schema),
        ...(defaults?.[name] === undefined ? {} : { default: defaults[name] }),
      },
    }));
    const documented = operationOf(id).parameters.map(({ name, in: place, required = false, schema }) => ({
      ...{ name, in: place, required },
      schema: bounds(schema),
    }));
    const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
      a.name.localeCompare(b.name);
    const isHeader = ({ in: place }: { readonly in: string }) => place === "header";
    expect(documented.filter((one) => !isHeader(one)).sort(byName)).toEqual(expected.sort(byName));
    const headers = documented.filter(isHeader).map(({ name }) => name);
    expect(headers).toEqual(answer.kind === "value" || answer.kind === "file" ? [] : ["If-None-Match"]);
  });

  it.each([
    "s1",
    "a b",
    "100%",
    "世界",
    "__proto__",
    "a.b",
    "",
    ".",
    "..",
    "a..b",
    "a/b",
    "a\\b",
    "a\0",
    "\x7f",
    "\n",
  ])("agree on whether %j is an id", (text) => {
    expect(schemaNamed("Id")(text)).toBe(PARAMETERS.sessionId.problemOf(text) === undefined);
  });

  it("name each filter of the values that there are", () => {
    for (const [name, { schema }] of Object.entries(NAMED)) {
      const { type, enum: values } = openapi.components.schemas[name] as { type: string; enum?: string[] };
      expect(schema).toMatchObject({ type, ...(values && { enum: values }) });
    }
  });
});
