import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SummaryStore } from "./summary-store.js";

const A = { tenantId: "t", sessionId: "a" };
const B = { tenantId: "t", sessionId: "b" };

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

let answer: Answer;
const server = createServer((request, response) => void answer(request, response));
let store: SummaryStore;

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  store = new SummaryStore(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const summaryOf = (sessionId: string) => ({ sessionId, counts: {}, context: {} });

/** Answers with a tag and the requested data; if the request has the tag, answers that nothing has changed. */
const tagged: Answer = ({ url, headers }, response) => {
  const sessionId = /sessions\/(\w+)\//.exec(url!)![1]!;
  const etag = `"${sessionId}"`;
  response.setHeader("ETag", etag);
  response.writeHead(headers["if-none-match"] === etag ? 304 : 200);
  response.end(headers["if-none-match"] === etag ? undefined : JSON.stringify(summaryOf(sessionId)));
};

describe("the summaries that the page reads", () => {
  it("are sent once while they are the same", async () => {
    answer = tagged;
    const first = await store.read(A);
    expect(first).toEqual({ summary: summaryOf("a"), problem: undefined });
    expect((await store.read(A)).summary).toBe(first.summary);
  });

  it("are those of the session that was asked for, also where another one is answered before", async () => {
    let isSlow = false;
    answer = async (request, response) => {
      if (isSlow && request.url!.includes("/a/")) await new Promise((resolve) => setTimeout(resolve, 100));
      return tagged(request, response);
    };
    await store.read(A);
    isSlow = true;
    const [a, b] = await Promise.all([store.read(A), store.read(B)]);
    expect([a, b]).toEqual([
      { summary: summaryOf("a"), problem: undefined },
      { summary: summaryOf("b"), problem: undefined },
    ]);
  });

  it("stay what they were where the service fails, and are none of another session's", async () => {
    answer = tagged;
    await store.read(A);
    answer = (_, response) => {
      response.writeHead(503, { "Content-Type": "application/problem+json" });
      response.end('{"detail":"busy"}');
    };
    expect(await store.read(A)).toMatchObject({ summary: summaryOf("a"), problem: { status: 503 } });
    expect(await store.read(B)).toMatchObject({ summary: undefined, problem: { status: 503 } });
  });

  it("are refused where the answer is none", async () => {
    answer = (_, response) => void response.end('{"counts":{}}');
    expect(await store.read(A)).toMatchObject({ summary: undefined, problem: { kind: "broken" } });
  });
});
