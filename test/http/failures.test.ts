import { format } from "node:util";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createInspectorContainer,
  createInspectorRoute,
  SourceChangedError,
  SourceUnavailableError,
  streamOf,
  TOKENS,
} from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { inspect, MOUNTS } from "../support/inspector.js";
import { streamingSource } from "../support/streams.js";

const PATHS = ["/sessions", "/sessions/s1/trace", "/sessions/s1/orchestration", "/sessions/s1/messages"];

function failing(error: unknown): InspectorDataSource {
  const fail = () => Promise.reject(error);
  return {
    listSessions: fail,
    loadTraceEnvelopes: fail,
    loadOrchestrationEvents: fail,
    loadOrchestrationState: fail,
    loadMessages: fail,
  };
}

describe.each(MOUNTS)("Failures of the source, mounted at %s", (_, prefix) => {
  it.each([
    ["an error", new Error("ENOENT: no such file, open '/home/ada/secret/events.jsonl'")],
    ["an error with a cause", new TypeError("secret", { cause: new Error("/home/ada") })],
    ["a string", "/home/ada/secret"],
    ["nothing at all", undefined],
    ["an object with a status", { status: 404, message: "/home/ada/secret" }],
  ])("answer 500 to %s, and do not show it", async (_, error) => {
    const inspector = inspect(failing(error), prefix);
    for (const path of PATHS) {
      const { status, text } = await inspector.ask(path);
      expect([path, status]).toStrictEqual([path, 500]);
      expect(text).not.toMatch(/secret|ada|\.ts|node_modules| at /);
    }
    expect(inspector.failures).toStrictEqual(PATHS.map(() => error));
  });

  it("answer 503 where the store cannot be reached, and report the reason to the host", async () => {
    const error = new SourceUnavailableError("The database does not answer.", { cause: new Error("secret") });
    const inspector = inspect(failing(error), prefix);
    for (const path of PATHS) {
      const { status, text, body } = await inspector.ask(path);
      expect([path, status, body.detail]).toStrictEqual([path, 503, "The database does not answer."]);
      expect(text).not.toContain("secret");
    }
    expect(inspector.failures).toStrictEqual(PATHS.map(() => error));
  });

  it.each([
    ["openSession", "/sessions/s1/trace"],
    ["revision", "/sessions"],
    ["findSessions", "/sessions"],
  ])("answer 500 where %s fails", async (method, path) => {
    const inspector = inspect(
      handMadeSource({ [method]: () => Promise.reject(new Error("secret")) }),
      prefix,
    );
    const { status, text } = await inspector.ask(path);
    expect([status, text.includes("secret")]).toStrictEqual([500, false]);
    expect(inspector.failures).toHaveLength(1);
  });

  it.each(["trace", "messages", "orchestration"])(
    "answer 500 where the %s of a snapshot fails",
    async (part) => {
      const session = handMadeSnapshot({ [part]: () => Promise.reject(new Error("secret")) });
      const inspector = inspect(handMadeSource({ openSession: async () => session }), prefix);
      expect((await inspector.ask(`/sessions/s1/${part}`)).status).toBe(500);
      expect(inspector.failures).toHaveLength(1);
    },
  );

  it("answer 500 to a method that throws instead of rejecting", async () => {
    const source = handMadeSource({
      loadMessages: () => {
        throw new Error("secret");
      },
    });
    const { status, text } = await inspect(source, prefix).ask("/sessions/s1/messages");
    expect([status, text.includes("secret")]).toStrictEqual([500, false]);
  });

  it.each([0, 1])("answer 500 to a failure in batch %i, before the first byte", async (failsAt) => {
    for (const path of ["/sessions/s1/trace", "/sessions/s1/messages"]) {
      const { source, log } = streamingSource({ batches: 5, failsAt });
      const inspector = inspect(source, prefix);
      expect((await inspector.ask(path)).status).toBe(500);
      expect(log).toMatchObject({ batches: failsAt + 1, isEnded: true });
      expect(inspector.failures).toMatchObject([{ message: "/secret/place is broken" }]);
    }
  });

  it("of a part that was replaced are reported, too", async () => {
    const container = createInspectorContainer(handMadeSource({}));
    const fail = () => {
      throw new Error("secret");
    };
    container.register(TOKENS.checkHealth, { useValue: { execute: fail } });
    container.register(TOKENS.searchRecords, { useValue: { execute: async () => fail() } });
    const told: string[] = [];
    const route = createInspectorRoute(container, { onError: (_, { path }) => told.push(path) });
    const app = new Hono().route(prefix || "/", route);
    for (const path of ["/health", "/search?q=x"]) {
      const response = await app.request(prefix + path);
      expect(response.status).toBe(500);
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      expect(await response.text()).not.toContain("secret");
    }
    expect(told).toEqual([`${prefix}/health`, `${prefix}/search`]);
  });

  it("report none of the client's errors to the host", async () => {
    const inspector = inspect(handMadeSource({ openSession: async () => undefined }), prefix);
    await inspector.ask("/sessions?limit=0");
    await inspector.ask("/sessions/s1/trace");
    await inspector.ask("/nowhere");
    await inspector.ask("/health", { method: "POST" });
    expect(inspector.failures).toStrictEqual([]);
  });
});

function changing(errors: readonly Error[], last: "there" | "gone" = "there") {
  let opened = 0;
  const source = handMadeSource({
    openSession: async () => {
      const error = errors[opened++];
      if (error === undefined && last === "gone") return undefined;
      const read = streamOf([{ opened }]);
      const stream = error === undefined ? read : { ...read, read: () => failingWith(error) };
      return handMadeSnapshot({ revision: `r${opened}`, messages: async () => stream });
    },
  });
  return { source, opened: () => opened };
}

// biome-ignore lint/correctness/useYield: it fails before its first batch
async function* failingWith(error: Error) {
  throw error;
}

describe("What changed while it was read, before the first byte", () => {
  const changed = new SourceChangedError("messages.jsonl was replaced or cut.");
  const MESSAGES = "/sessions/s1/messages";

  it("is read once more: the answer is what is there then, with the entity tag of that", async () => {
    const inspector = inspect(changing([changed]).source);
    const { status, headers, body } = await inspector.ask(MESSAGES);
    expect([status, headers.get("etag"), body]).toStrictEqual([200, 'W/"r2"', { messages: [{ opened: 2 }] }]);
    expect(inspector.failures).toStrictEqual([]);
  });

  it("is 404 where it is gone then", async () => {
    const inspector = inspect(changing([changed], "gone").source);
    expect((await inspector.ask(MESSAGES)).status).toBe(404);
    expect(inspector.failures).toStrictEqual([]);
  });

  it("is 503 where it changed again, without an entity tag, and is no failure of the host", async () => {
    const { source, opened } = changing([changed, changed]);
    const inspector = inspect(source);
    const { status, headers, body } = await inspector.ask(MESSAGES);
    expect([status, headers.get("etag"), body.detail]).toStrictEqual([
      503,
      null,
      "The data changed twice while it was read. Repeat the request.",
    ]);
    expect([opened(), inspector.failures]).toStrictEqual([2, []]);
  });

  it("is read once more for no other failure", async () => {
    const { source, opened } = changing([new SourceUnavailableError("The database does not answer.")]);
    expect((await inspect(source).ask(MESSAGES)).status).toBe(503);
    expect(opened()).toBe(1);
  });

  it("breaks the answer off behind it, which the host is told", async () => {
    const { source } = streamingSource({ batches: 5, failsAt: 3, error: changed });
    const inspector = inspect(source);
    const response = await inspector.open(MESSAGES);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(inspector.failures).toStrictEqual([changed]);
  });
});

describe("The host", () => {
  it("gets the method and the path, without the query", async () => {
    const onError = vi.fn();
    const error = new Error("broken");
    await createInspectorRoute(failing(error), { onError }).request("/sessions/s1/trace?tenantId=acme");
    expect(onError.mock.calls).toStrictEqual([[error, { method: "GET", path: "/sessions/s1/trace" }]]);
  });

  it("finds failures on standard error where it asks for nothing else", async () => {
    const write = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const error = new Error("broken");
    await createInspectorRoute(failing(error)).request("/sessions");
    expect(write.mock.calls).toStrictEqual([["agent-inspector: GET /sessions failed:", error]]);
    write.mockRestore();
  });

  it.each([
    ["throws", new Error("broken"), fails],
    ["rejects", new Error("broken"), async () => fails()],
    ["cannot print the error", unprintable(), undefined],
  ])("finds a line on standard error where its own handler %s", async (_, error, onError) => {
    const lines: string[] = [];
    const write = vi.spyOn(console, "error").mockImplementation((...parts) => {
      lines.push(format(...parts));
    });
    onTestFinished(() => write.mockRestore());
    expect((await createInspectorRoute(failing(error), { onError }).request("/sessions")).status).toBe(500);
    await vi.waitFor(() => {
      expect(lines).toStrictEqual(["agent-inspector: GET /sessions failed, and to report it failed, too."]);
    });
  });
});

function fails(): never {
  throw new Error("broken, too");
}

function unprintable(): Error {
  return Object.defineProperty(new Error("broken"), "stack", { get: fails });
}
