import { describe, expect, it } from "vitest";
import { expectConforms, openapi, schemaNamed } from "./openapi.js";

const HEADERS = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache, private" };

const PROBLEM = { type: "about:blank", title: "Not Found", status: 404, detail: "Nothing here." };

const SESSION = {
  tenantId: "acme",
  sessionId: "s1",
  userId: "",
  lastActive: "2026-03-01T09:30:00.000Z",
  turns: 0,
  tokens: 0,
  status: "idle",
};

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const type = status === 200 ? "application/json; charset=utf-8" : "application/problem+json; charset=utf-8";
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...HEADERS, "Content-Type": type, ...headers },
  });
}

describe("expectConforms", () => {
  it("accepts what is documented, and leaves the response to be read", async () => {
    const response = json({ sessions: [SESSION] }, 200, { ETag: 'W/"1"' });
    expect(JSON.parse(await expectConforms(response, "/sessions?limit=2"))).toStrictEqual(
      await response.json(),
    );
    await expectConforms(json({ status: "ok" }), "/health");
    await expectConforms(new Response(null, { headers: HEADERS }), "/health", { method: "HEAD" });
    await expectConforms(json(PROBLEM, 404), "/sessions/s1/trace");
    await expectConforms(json(PROBLEM, 404), "/nowhere");
  });

  it.each<[string, Response, string]>([
    ["a status that is not documented", json({ sessions: [] }, 418), "/sessions"],
    ["a 404 of a path that has none", json(PROBLEM, 404), "/sessions"],
    ["a success of a path that is not documented", json({ status: "ok" }), "/healthz"],
    ["a 405 for a GET", json({ ...PROBLEM, status: 405 }, 405, { Allow: "GET, HEAD" }), "/health"],
    ["an extra member", json({ status: "ok", uptime: 3 }), "/health"],
    ["an extra member of an element", json({ sessions: [{ ...SESSION, path: "/data" }] }), "/sessions"],
    ["an extra member of a problem", json({ ...PROBLEM, stack: "at …" }, 404), "/nowhere"],
    ["a member that is missing", json({ nextCursor: null }), "/sessions"],
    ["a wrong type", json({ sessions: [{ ...SESSION, turns: "0" }] }), "/sessions"],
    [
      "an instant without milliseconds' zone",
      json({ sessions: [{ ...SESSION, lastActive: "2026-03-01" }] }),
      "/sessions",
    ],
    ["a status that contradicts the response's", json({ ...PROBLEM, status: 500 }, 404), "/nowhere"],
    ["an envelope without its members", json({ envelopes: [{ sequence: 0 }] }), "/sessions/s1/trace"],
    ["warnings that are none", json({ sessions: [], warnings: [] }), "/sessions"],
    ["an agents list with a cursor", json({ agents: [], nextCursor: null }), "/sessions/s1/orchestration"],
    ["a strong entity tag", json({ sessions: [] }, 200, { ETag: '"1"' }), "/sessions"],
    [
      "a header that is not documented",
      json({ status: "ok" }, 200, { "Access-Control-Allow-Origin": "*" }),
      "/health",
    ],
    ["a header with another value", json({ status: "ok" }, 200, { "Cache-Control": "public" }), "/health"],
    ["another media type", json({ status: "ok" }, 200, { "Content-Type": "text/html" }), "/health"],
    ["a body that is no JSON", new Response("{", json({}, 200)), "/health"],
    ["a 304 without its entity tag", new Response(null, { status: 304, headers: HEADERS }), "/sessions"],
  ])("rejects %s", async (_, response, path) => {
    await expect(expectConforms(response, path)).rejects.toThrow();
  });

  it("rejects a header that is missing", async () => {
    await expect(expectConforms(Response.json({ status: "ok" }), "/health")).rejects.toThrow(
      /lacks the header/,
    );
  });

  it("rejects a body in answer to HEAD, and a method that is not refused", async () => {
    await expect(expectConforms(json({ status: "ok" }), "/health", { method: "HEAD" })).rejects.toThrow(
      /body/,
    );
    await expect(expectConforms(json({ status: "ok" }), "/health", { method: "POST" })).rejects.toThrow(
      /POST/,
    );
  });

  it("accepts an incomplete envelope where a test allows it", async () => {
    const response = json({ envelopes: [{ sequence: 0, timestamp: 17 }] });
    await expectConforms(response, "/sessions/s1/trace", { incompleteEnvelopes: true });
  });
});

describe("docs/openapi.yaml", () => {
  const names = Object.keys(openapi.components.schemas);

  it.each(names)("has a schema %s that compiles and that its examples meet", (name) => {
    const validate = schemaNamed(name);
    const { examples = [] } = openapi.components.schemas[name] as { examples?: unknown[] };
    for (const example of examples) {
      validate(example);
      expect(validate.errors).toBeNull();
    }
  });

  it("has no schema that nothing refers to", () => {
    const text = JSON.stringify(openapi);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toStrictEqual([]);
  });
});
