import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openapi } from "../../../test/support/openapi.js";
import { ApiError } from "./api-problem.js";
import { fetchRecords, type UnreadableRecord } from "./fetch-records.js";

interface Operation {
  readonly parameters?: readonly Named[];
  readonly responses: { readonly [status: string]: { readonly content?: object; readonly headers?: object } };
}
interface Named {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
}
interface Schema {
  readonly required?: readonly string[];
  readonly properties: { readonly [name: string]: unknown };
}

const paths = openapi.paths as unknown as { readonly [path: string]: { readonly get: Operation } };

function resolve<T>(value: T & { readonly $ref?: string }): T {
  if (value.$ref === undefined) return value;
  const schema = value.$ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, part) => (at as { readonly [name: string]: unknown })[part], openapi);
  return schema as T;
}

function schemaOf({ responses }: Operation): Schema {
  const content = responses["200"]!.content as { "application/json": { schema: Schema } };
  return resolve<Schema>(content["application/json"].schema);
}

const SESSION = { tenantId: "a b", sessionId: "s/1" };

describe("the API client reads what docs/openapi.yaml documents", () => {
  const warning = resolve<Schema>({ $ref: "#/components/schemas/Warning", properties: {} });
  const expected: UnreadableRecord = { file: "trace/events.jsonl", line: 17, reason: "is not valid JSON" };

  it("records, the entity tag, warnings and the next page", async () => {
    expect(Object.keys(warning.properties).sort()).toEqual(Object.keys(expected).sort());
    const operation = paths["/sessions/{sessionId}/trace"]!.get;
    const answer: { [name: string]: unknown } = {
      envelopes: [{ sequence: 0 }],
      nextCursor: "c",
      from: 3,
      syncToken: "t",
      moved: { from: 5, count: 2, to: 6, sequence: 6 },
      warnings: [expected],
    };
    expect(Object.keys(answer).sort()).toEqual(Object.keys(schemaOf(operation).properties).sort());
    expect(Object.keys(operation.responses["200"]!.headers!)).toContain("ETag");

    const base = await serve(200, "application/json; charset=utf-8", answer);
    const records: string[] = [];
    const fetched = await fetchRecords(base, "/sessions/{sessionId}/trace", SESSION, (text) =>
      records.push(text),
    );
    expect(records).toEqual(['{"sequence":0}']);
    const rest = { nextCursor: "c", from: 3, syncToken: "t", moved: answer.moved, warnings: [expected] };
    expect(fetched).toEqual({ etag: 'W/"1"', ...rest });
  });

  it("a list that has not changed", async () => {
    const names = (paths["/sessions"]!.get.parameters ?? []).map(
      (parameter) => resolve<Named>(parameter).name,
    );
    expect(names).toContain("If-None-Match");
    const base = await serve(200, "application/json", { sessions: [] });
    expect(await fetchRecords(base, "/sessions", {}, () => undefined, { etag: 'W/"1"' })).toBeUndefined();
  });

  it.each([
    [404, "missing"],
    [400, "failed"],
    [500, "failed"],
    [503, "failed"],
  ])("a problem of status %i", async (status, kind) => {
    const documented = Object.keys(paths["/sessions/{sessionId}/trace"]!.get.responses);
    expect(documented).toContain(String(status));
    const { required = [] } = resolve<Schema>({ $ref: "#/components/schemas/Problem", properties: {} });
    const problem = { type: "about:blank", title: "T", status, detail: "What to do." };
    expect(Object.keys(problem)).toEqual(required);
    const base = await serve(status, "application/problem+json; charset=utf-8", problem);
    const failure = await fetchRecords(base, "/sessions/{sessionId}/trace", SESSION, () => undefined).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).problem).toEqual({ kind, status, detail: "What to do." });
  });
});

/** A real server that gives one answer, and 304 to whoever has it. */
async function serve(status: number, type: string, body: unknown): Promise<string> {
  const server = createServer((request, response) => {
    const isUnchanged = request.headers["if-none-match"] === 'W/"1"';
    response.writeHead(isUnchanged ? 304 : status, { "Content-Type": type, ETag: 'W/"1"' });
    response.end(isUnchanged ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve_) => server.listen(0, "127.0.0.1", resolve_));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
