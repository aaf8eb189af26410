import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly parameters?: readonly (Parameter | Reference)[]; readonly get: Operation }>
  >;
  readonly components: {
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: object;
}

interface Reference {
  readonly $ref: string;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: Reference | object }>>;
}

interface Header {
  readonly required?: boolean;
  readonly schema: object;
}

export interface ConformanceOptions {
  /** Default is GET. */
  readonly method?: string | undefined;
  /** Permits trace records without all members of an envelope. Default is false. */
  readonly incompleteEnvelopes?: boolean | undefined;
}

const NAME = "openapi.json";

export function operationOf(id: string) {
  const entry = Object.entries(openapi.paths).find(([, { get }]) => get.operationId === id);
  const [path, { parameters = [], get }] = entry ?? fail(`There is no operation ${id}`);
  const all = [...parameters, ...(get.parameters ?? [])].map((one) => resolve<Parameter>(one));
  return { path, parameters: all, responses: get.responses };
}

export const openapi = parse(
  readFileSync(new URL("../../docs/openapi.yaml", import.meta.url), "utf8"),
) as Document;

const lenient = validatorOf(openapi);

/** `IncompleteEnvelope` accepts any record, so strict validation does without it. */
const strict = validatorOf({
  ...openapi,
  components: {
    ...openapi.components,
    schemas: { ...openapi.components.schemas, IncompleteEnvelope: { not: {} } },
  },
});

function validatorOf(document: Document): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(Object.keys(document)); // schemas lie inside of it, where a schema would hold keywords
  return ajv.addSchema(document, NAME);
}

export function schemaNamed(name: string): ValidateFunction {
  return strict.getSchema(`${NAME}#/components/schemas/${name}`) ?? fail(`There is no schema ${name}`);
}

/**
 * Checks a response against `docs/openapi.yaml`: status, headers, type and body schema.
 * @param path below the mount, with or without its query
 * @returns the body as text; the response is still readable
 * @throws Error that names the violations
 */
export async function expectConforms(
  response: Response,
  path: string,
  { method = "GET", incompleteEnvelopes = false }: ConformanceOptions = {},
): Promise<string> {
  const documented = expectHeadConforms(response, path, method);
  const text = response.body === null ? "" : await response.clone().text();
  if (method === "HEAD" || documented.content === undefined) {
    if (text !== "") fail(`${method} ${path} has a body: ${text}`);
    return text;
  }
  const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "";
  const schema = documented.content[mediaType]?.schema;
  if (schema === undefined) return fail(`${response.status} of ${path} is not documented as "${mediaType}"`);
  // The format, not the document, describes a file.
  if (!("$ref" in schema)) return text;
  const ajv = incompleteEnvelopes ? lenient : strict;
  const validate = ajv.getSchema(`${NAME}${schema.$ref}`) ?? fail(`${schema.$ref} leads nowhere`);
  if (!validate(JSON.parse(text))) {
    fail(`${response.status} of ${path}: ${ajv.errorsText(validate.errors, { dataVar: "body" })}\n${text}`);
  }
  return text;
}

/** Checks the status and the headers before a body is read. @returns the declaration of the response */
export function expectHeadConforms(response: Response, path: string, method = "GET"): ResponseObject {
  const documented = documentedResponse(response.status, path, method);
  const headers = Object.entries(documented.headers ?? {});
  for (const [name, header] of headers) expectHeader(response, name, resolve<Header>(header));
  const known = new Set([...headers.map(([name]) => name.toLowerCase()), "content-type"]);
  for (const name of response.headers.keys()) {
    if (!known.has(name)) fail(`${response.status} of ${path} has the undocumented header ${name}`);
  }
  return documented;
}

function documentedResponse(status: number, path: string, method: string): ResponseObject {
  const pathname = path.split("?")[0] ?? "";
  const template = Object.keys(openapi.paths).find((candidate) => matches(candidate, pathname));
  if (template === undefined) {
    if (status !== 404) fail(`${path} is not documented, and yet answers ${status}`);
    return openapi.components.responses.UnknownPath ?? fail("There is no response UnknownPath");
  }
  const isRead = method === "GET" || method === "HEAD";
  if ((status === 405) === isRead) fail(`${method} ${path} answers ${status}`);
  const response = openapi.paths[template]?.get.responses[status];
  if (response === undefined) return fail(`${status} of ${template} is not documented`);
  return resolve<ResponseObject>(response);
}

function matches(template: string, pathname: string): boolean {
  const parts = template.split("/");
  const given = pathname.split("/");
  return (
    parts.length === given.length &&
    parts.every((part, i) => (part.startsWith("{") ? given[i] !== "" : part === given[i]))
  );
}

function expectHeader(response: Response, name: string, { required = false, schema }: Header): void {
  const value = response.headers.get(name);
  if (value === null) {
    if (required) fail(`${response.status} lacks the header ${name}`);
    return;
  }
  if (!strict.validate(schema, value)) fail(`The header ${name}: ${strict.errorsText()}: ${value}`);
}

function resolve<T extends object>(object: T | Reference): T {
  if (!("$ref" in object)) return object;
  let found: unknown = openapi;
  for (const key of object.$ref.slice(2).split("/")) found = (found as Record<string, unknown>)[key];
  return found as T;
}

function fail(message: string): never {
  throw new Error(message);
}
