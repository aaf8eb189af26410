import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { ApiError, type ApiProblem } from "./api-problem.js";
import { request } from "./request.js";

/** The problem that the page has with a server's answer to `/health`. */
async function problemOf(answer: (response: ServerResponse, path: string) => void): Promise<ApiProblem> {
  const server = createServer(({ url = "" }, response) => answer(response, url));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const error: unknown = await request(base, "/health", {}).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).problem;
}

it.each([
  ["Bearer", "tokenRequired"],
  ['bearer realm="agent", error="invalid_token"', "tokenRequired"],
  ['DPoP algs="ES256", Bearer', "tokenRequired"],
  ["Basic", "signInRequired"],
  ['Bearer realm="agent", Basic realm="agent"', "signInRequired"],
  ["Negotiate, Bearer", "signInRequired"],
  ['Custom realm="no Bearer"', "signInRequired"],
  [undefined, "signInRequired"],
])("takes 401 with WWW-Authenticate %s for %s", async (challenge, kind) => {
  const problem = await problemOf((response) => {
    response
      .writeHead(401, challenge === undefined ? {} : { "WWW-Authenticate": challenge })
      .end("Who are you?");
  });
  expect(problem).toEqual({ kind, status: 401, detail: "HTTP 401" });
});

it("takes 403 for a refusal, whatever it says of tokens", async () => {
  const headers = { "WWW-Authenticate": 'Bearer error="insufficient_scope"' };
  expect(await problemOf((response) => response.writeHead(403, headers).end())).toMatchObject({
    kind: "forbidden",
  });
});

it("has the detail of a problem document", async () => {
  const headers = { "Content-Type": "application/problem+json", "WWW-Authenticate": "Bearer" };
  const problem = await problemOf((response) =>
    response.writeHead(401, headers).end('{"title":"Unauthorized","detail":"Configure its headers."}'),
  );
  expect(problem).toEqual({ kind: "tokenRequired", status: 401, detail: "Configure its headers." });
});

it("takes a redirect to a page for a sign-in that has ended", async () => {
  const problem = await problemOf((response, path) => {
    if (path === "/login")
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end("<form>");
    else response.writeHead(302, { Location: "/login" }).end();
  });
  expect(problem).toMatchObject({
    kind: "signInRequired",
    detail: "The application redirects to another page.",
  });
});
