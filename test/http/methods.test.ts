import { describe, expect, it } from "vitest";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { inspect, MOUNTS } from "../support/inspector.js";
import { SAMPLE } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const PATHS = [
  "/sessions",
  "/sessions/s1/trace",
  "/sessions/s1/orchestration",
  "/sessions/s1/messages",
  "/sessions/s1/context",
  "/sessions/s1/provenance",
  "/search",
  "/health",
] as const;

const UNKNOWN = [
  "",
  "/",
  "/sessions/",
  "/sessions/s1",
  "/sessions/s1/",
  "/sessions/s1/trace/",
  "/sessions/s1/tracer",
];

describe.each(MOUNTS)("Methods and paths, mounted at %s", (mount, prefix) => {
  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])("refuse %s", async (method) => {
    const inspector = inspect(handMadeSource({}), prefix);
    for (const path of PATHS) {
      const { status, headers } = await inspector.ask(path, { method });
      expect([path, status, headers.get("allow")]).toStrictEqual([path, 405, "GET, HEAD"]);
    }
    expect(inspector.failures).toStrictEqual([]);
  });

  it("refuse a preflight, and let no other origin read", async () => {
    const inspector = inspect(handMadeSource({}), prefix);
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "GET" };
    for (const path of PATHS) {
      const answer = await inspector.ask(path, { method: "OPTIONS", headers });
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toStrictEqual(
        [],
      );
    }
    const { headers: answered } = await inspector.ask("/health", { headers });
    expect(answered.get("access-control-allow-origin")).toBeNull();
  });

  it.each([...UNKNOWN, "/health/", "/healthz", "/api/sessions", "/%00", "/%ff", "/%zz", "/..%2f..%2fetc"])(
    "find nothing at '%s'",
    async (path) => {
      // The host itself answers at its root and at the mount.
      if (mount === "a prefix" && path === "") return;
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const { status, body } = await inspect(handMadeSource({}), prefix).ask(path, { method });
        expect([status, body.title]).toStrictEqual([404, "Not Found"]);
        expect(body.detail).toMatch(/\/sessions\/:sessionId\/trace/);
      }
    },
  );

  it("report that the process is alive without touching the source", async () => {
    const touched = (): never => {
      throw new Error("The source was touched");
    };
    const everything = {
      listSessions: touched,
      loadTraceEnvelopes: touched,
      loadOrchestrationEvents: touched,
      loadOrchestrationState: touched,
      loadMessages: touched,
      openSession: touched,
      findSessions: touched,
      revision: touched,
      close: touched,
    };
    const inspector = inspect(everything, prefix);
    expect(await inspector.ask("/health")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect((await inspector.ask("/health", { method: "HEAD" })).status).toBe(200);
    expect((await inspector.ask("/health?tenantId=&limit=0")).status).toBe(200);
  });
});

describe.each(SOURCES)("HEAD, with %s", (_, create) => {
  it.each(["", "?tenantId=acme&limit=2"])("has the headers of GET and no body (%s)", async (query) => {
    const inspector = inspect(await create(SAMPLE));
    for (const path of PATHS) {
      const get = await inspector.ask(path + query);
      const head = await inspector.ask(path + query, { method: "HEAD" });
      expect([path, head.status, head.text]).toStrictEqual([path, get.status, ""]);
      expect([...head.headers]).toStrictEqual([...get.headers]);
    }
  });
});

describe("HEAD", () => {
  it("reads no record", async () => {
    let isReturned = false;
    const records = {
      size: 1,
      warnings: [],
      read: () => ({
        [Symbol.asyncIterator]: () => ({
          next: async (): Promise<never> => {
            throw new Error("A record was read");
          },
          return: async () => {
            isReturned = true;
            return { done: true as const, value: undefined };
          },
        }),
      }),
    };
    const session = handMadeSnapshot({ messages: async () => records });
    const inspector = inspect(handMadeSource({ openSession: async () => session }));
    const { status } = await inspector.ask("/sessions/s1/messages", { method: "HEAD" });
    expect([status, isReturned]).toStrictEqual([200, false]);
    expect(inspector.failures).toStrictEqual([]);
  });

  it("has the headers of a failure and nothing of its detail", async () => {
    const inspector = inspect(handMadeSource({}));
    const response = await inspector.open("/sessions/s1/messages", { method: "HEAD" });
    expect([response.status, response.body]).toStrictEqual([500, null]);
    const refused = await inspector.open("/sessions/s1/messages?limit=0", { method: "HEAD" });
    expect([refused.status, refused.body]).toStrictEqual([400, null]);
  });
});
