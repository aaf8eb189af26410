import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import { basicAuth } from "hono/basic-auth";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import { createRemoteInspectorUi, type RemoteInspectorUiOptions } from "../../src/ui.js";
import { requestRaw, serveApp, serveListener } from "../support/real-server.js";
import { spellingsOf } from "../support/spellings.js";

const SESSIONS = "/__inspector/sessions";
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`;

async function protectedAgent(credentials: string, options?: RemoteInspectorUiOptions): Promise<number> {
  const agent = new Hono();
  agent.use("*", basicAuth({ username: "ada", password: "pä:ss @1" }));
  agent.route("/__inspector", createInspectorRoute(createInMemoryInspectorDataSource([])));
  const port = await serveApp(agent);
  return serveApp(createRemoteInspectorUi(`http://${credentials}127.0.0.1:${port}`, options));
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function agentThatAnswers({ status = 200, headers = {}, body = "{}" }: Answer = {}) {
  const asked: IncomingMessage[] = [];
  const port = await serveListener((request, response) => {
    asked.push(request);
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
  });
  const options = { headers: { "X-Team": "shop" } };
  return { asked, port: await serveApp(createRemoteInspectorUi(`http://127.0.0.1:${port}/base/`, options)) };
}

describe("The UI of a protected agent application", () => {
  it("uses the credentials in its URL", async () => {
    const port = await protectedAgent("ada:p%C3%A4%3Ass%20%401@");
    expect(await requestRaw(port, SESSIONS)).toMatchObject({
      status: 200,
      body: expect.stringContaining('"sessions"'),
    });
  });

  it("uses the header that it is given, before the browser's and the URL's", async () => {
    const headers = { authorization: basic("ada:pä:ss @1") };
    const port = await protectedAgent("eve:wrong@", { headers });
    const foreign = { headers: [`Authorization: ${basic("eve:wrong")}`] };
    expect((await requestRaw(port, SESSIONS, foreign)).status).toBe(200);
  });

  it("lets the browser ask, and passes on what it sends", async () => {
    const port = await protectedAgent("");
    const refused = await requestRaw(port, SESSIONS);
    expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([
      401,
      'Basic realm="Secure Area"',
    ]);
    expect(JSON.parse(refused.body)).toMatchObject({
      status: 401,
      detail: expect.stringContaining("--header"),
    });
    const allowed = await requestRaw(port, SESSIONS, {
      headers: [`Authorization: ${basic("ada:pä:ss @1")}`],
    });
    expect(allowed.status).toBe(200);
  });

  it("reports credentials that are refused, and does not let the browser ask for others in vain", async () => {
    const port = await protectedAgent("ada:hunter2@");
    const { status, headers, body } = await requestRaw(port, SESSIONS);
    expect([status, headers.get("WWW-Authenticate")]).toEqual([401, null]);
    expect(JSON.parse(body)).toMatchObject({
      detail: expect.stringContaining("refuses the configured credentials"),
    });
    expect(body).not.toContain("hunter2");
  });

  it("never shows the credentials where nobody answers", async () => {
    const app = createRemoteInspectorUi("http://ada:hunter2@127.0.0.1:9");
    for (const path of [SESSIONS, "/"]) {
      const answer = await app.request(path);
      expect(await answer.text()).not.toMatch(/hunter2|ada/);
    }
  });

  it.each([
    ["ftp://ada:hunter2@host", {}],
    ["http://ada:hu%nter2@host", {}],
    ["http://ada:#hunter2@host", {}],
    ["http://ada:1#hunter2@host", {}],
    ["http://ada:1?hunter2@host", {}],
    ["http://ada:1/hunter2@host", {}],
    ["ada:hunter2@host", {}],
    ["http://host", { Host: "hunter2" }],
    ["http://host", { Authorization: "“hunter2”" }],
    ["http://host", { Authorization: "hunter2\r\nX: y" }],
    ["http://host", { "Bearer hunter2": "x" }],
    ["http://host", { hunter2: "" }],
  ])("refuses %s with %j, and does not repeat it", (url, headers) => {
    const create = () => createRemoteInspectorUi(url, { headers: headers as Record<string, string> });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/^(?!.*(hunter2|ada)).*$/s);
  });
});

/** Ways out of `/__inspector`, in each encoding that a proxy may decode. */
const WAYS_OUT = [
  "/__inspector/..%2fadmin",
  "/__inspector/..%2Fadmin",
  "/__inspector/%2e%2e%2fadmin",
  "/__inspector/%2e%2e/%2e%2e/admin",
  "/__inspector/.%2e%2fadmin",
  "/__inspector/..%5cadmin",
  "/__inspector/..%255cadmin",
  "/__inspector/..%252fadmin",
  "/__inspector/%252e%252e%252fadmin",
  "/__inspector/%25252e%25252e%25252fadmin",
  "/__inspector/%2%352e%2%352e%2fadmin",
  `/__inspector/%${"25".repeat(40)}2e%2e/admin`,
  "/__inspector/%c0%ae%c0%ae/admin",
  "/__inspector/%u002e%u002e/admin",
  "/__inspector/..;/admin",
  "/__inspector/sessions/..%2f..%2fadmin",
  "/__inspector/sessions/x/..%2f..%2f..%2fadmin",
  "/__inspector/../admin",
  "/__inspector/..//admin",
  "/__inspector/x/../../admin",
  "/__inspector/%00/admin",
  "/__inspector/x%0d%0aX:y",
  "/__inspector%2f..%2fadmin",
  "/%5f%5finspector/..%2fadmin",
  "/%5f_inspector/8",
  "/admin/..%2f__inspector/..%2fadmin",
  "http://evil.example/__inspector/..%2fadmin",
];

describe("The proxy of the UI, on a real server", () => {
  it.each(WAYS_OUT)("asks for nothing but the inspector: %s", async (target) => {
    const { asked, port } = await agentThatAnswers();
    const { status } = await requestRaw(port, target);
    expect([302, 400, 404]).toContain(status);
    expect(asked.map(({ url }) => url)).toEqual([]);
  });

  it.each([
    "/__inspector",
    "/__inspector/health",
    "/__inspector/sessions?q=..%2f&limit=1",
    "/__inspector/sessions/a.b%20%25%C3%A9%3B%7C%252f/trace?tenantId=..%2fx",
  ])("passes %s on as it is", async (target) => {
    const { asked, port } = await agentThatAnswers();
    const { status } = await requestRaw(port, target, { headers: ["Cookie: a=b", "If-None-Match: x"] });
    expect(status).toBe(200);
    expect(asked.map(({ url }) => url)).toEqual([`/base${target}`]);
    expect(asked[0]?.headers).toMatchObject({ "x-team": "shop", "if-none-match": "x" });
    expect(asked[0]?.headers).not.toHaveProperty("cookie");
  });

  it.each([
    "text/html",
    "text/html; a=application/json",
    "image/svg+xml",
    "application/xhtml+xml",
    "application/jsonx",
    "",
  ])("passes nothing on of the type %j", async (type) => {
    const { port } = await agentThatAnswers({
      headers: { "Content-Type": type, ETag: "x" },
      body: "<script>",
    });
    const { status, headers, body } = await requestRaw(port, "/__inspector/health");
    expect([status, headers.get("Content-Type")]).toEqual([502, "application/problem+json; charset=utf-8"]);
    expect(body).not.toContain("<script>");
  });

  it.each(["application/json", "application/problem+json; charset=utf-8"])(
    "lets %s do nothing as a page",
    async (type) => {
      const { port } = await agentThatAnswers({ headers: { "Content-Type": type } });
      const { headers } = await requestRaw(port, "/__inspector/health");
      expect(headers.get("Content-Type")).toBe(type);
      expect(headers.get("Content-Security-Policy")).toContain("sandbox");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    },
  );

  it("passes a file on that is saved, which can do nothing as a page", async () => {
    const saved = 'attachment; filename="session.html"';
    const headers = { "Content-Type": "text/html", "Content-Disposition": saved, "Redacted-Values": "3" };
    const { port } = await agentThatAnswers({ headers, body: "<p>" });
    const answer = await requestRaw(port, `${SESSIONS}/s1/export?format=html`);
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining("<p>")]);
    expect(answer.headers.get("Content-Disposition")).toBe(saved);
    expect(answer.headers.get("Redacted-Values")).toBe("3");
    expect(answer.headers.get("Content-Security-Policy")).toContain("sandbox");
  });

  it("keeps the status of an error that is no JSON, and says when to come again", async () => {
    const headers = { "Content-Type": "text/html", "Retry-After": "7" };
    const { port } = await agentThatAnswers({ status: 503, headers, body: "<h1>busy" });
    const answer = await requestRaw(port, "/__inspector/health");
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "7"]);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 503, title: "Service Unavailable" });
  });

  it("follows no redirect, and names none", async () => {
    const { port } = await agentThatAnswers({ status: 302, headers: { Location: "http://evil.example/" } });
    const { status, headers, body } = await requestRaw(port, "/__inspector/health");
    expect([status, headers.get("Location")]).toEqual([502, null]);
    expect(body).not.toContain("evil");
  });
});

it("The proxy passes nothing on that is not spelt as its path: a guard before it has not seen that", async () => {
  const { asked, port } = await agentThatAnswers();
  for (const target of spellingsOf(SESSIONS).filter((one) => /^\/(?!__inspector\/)/.test(one))) {
    await requestRaw(port, target);
  }
  expect(asked.map(({ url }) => url)).toEqual([]);
  expect((await requestRaw(port, SESSIONS)).status).toBe(200);
});
