import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { inspect, MOUNTS } from "../support/inspector.js";
import { envelope } from "../support/sample.js";
import { streamingSource, until } from "../support/streams.js";

const PATHS = ["/sessions/s1/trace", "/sessions/s1/messages"];

const CASES = MOUNTS.flatMap(([mount, prefix]) => PATHS.map((path) => ({ mount, prefix, path })));

function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (response.body === null) throw new Error("There is no body");
  return response.body.getReader();
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(CASES)("$path, mounted at $mount", ({ prefix, path }) => {
  it("comes whole in many batches", async () => {
    const { source, log } = streamingSource({ batches: 6 });
    const { body } = await inspect(source, prefix).ask(path);
    expect(Object.values(body)[0]).toHaveLength(6);
    expect(log).toMatchObject({ batches: 6, isEnded: true });
  });

  it.each([2, 3, 5])("breaks off where batch %i fails, and is never a complete body", async (failsAt) => {
    const { source, log } = streamingSource({ batches: 6, failsAt });
    const inspector = inspect(source, prefix);
    const response = await inspector.open(path);
    expect(response.status).toBe(200);
    const reader = readerOf(response);
    let text = "";
    await expect(
      (async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          text += Buffer.from(next.value).toString();
        }
      })(),
    ).rejects.toThrow();
    expect(() => JSON.parse(text)).toThrow();
    expect(text.endsWith("]}")).toBe(false);
    expect(log.isEnded).toBe(true);
    expect(inspector.failures).toMatchObject([{ message: "/secret/place is broken" }]);
  });

  it("stops reading when the body is cancelled", async () => {
    const { source, log } = streamingSource({ batches: 100 });
    const inspector = inspect(source, prefix);
    const reader = readerOf(await inspector.open(path));
    for (let i = 0; i < 4; i++) await reader.read();
    await reader.cancel("enough");
    expect(log).toMatchObject({ isEnded: true, signal: { aborted: true, reason: "enough" } });
    expect(log.batches).toBeLessThanOrEqual(6);
    expect(inspector.failures).toStrictEqual([]);
  });

  it("is cancelled also where the source fails to end", async () => {
    const onEnd = () => {
      throw new Error("It does not end");
    };
    const { source, log } = streamingSource({ batches: 100, onEnd });
    const inspector = inspect(source, prefix);
    await (await inspector.open(path)).body?.cancel();
    expect(log.isEnded).toBe(true);
    expect(inspector.failures).toStrictEqual([]);
  });

  it("stops reading when the body is cancelled unread", async () => {
    const { source, log } = streamingSource({ batches: 100 });
    const response = await inspect(source, prefix).open(path);
    await response.body?.cancel();
    expect(log).toMatchObject({ batches: 2, isEnded: true, signal: { aborted: true } });
  });

  it("signals the source when the request is aborted", async () => {
    const { source, log } = streamingSource({ batches: 100 });
    const client = new AbortController();
    const response = await inspect(source, prefix).open(path, { signal: client.signal });
    const reader = readerOf(response);
    await reader.read();
    expect(log.signal?.aborted).toBe(false);
    client.abort("gone");
    expect(log.signal?.aborted).toBe(true);
  });

  it("lets a slow reader hold up the source", async () => {
    const { source, log } = streamingSource({ batches: 50 });
    const reader = readerOf(await inspect(source, prefix).open(path));
    for (let read = 0; read < 10; read++) {
      await settle();
      expect(log.batches - read).toBeLessThanOrEqual(2);
      await reader.read();
    }
    await reader.cancel();
  });
});

describe("A request that is aborted", () => {
  it("is a reason for the source to stop loading, and none to report to the host", async () => {
    const client = new AbortController();
    let seen: AbortSignal | undefined;
    const source = handMadeSource({
      loadMessages: (_tenantId, _sessionId, { signal } = {}) =>
        new Promise((_, reject) => {
          seen = signal;
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const inspector = inspect(source);
    const answer = inspector.open("/sessions/s1/messages", { signal: client.signal });
    await until(() => seen !== undefined);
    client.abort();
    expect((await answer).status).toBe(500);
    expect(inspector.failures).toStrictEqual([]);
  });

  it("before it came loads nothing to its end", async () => {
    const { source, log } = streamingSource({ batches: 5 });
    const inspector = inspect(source);
    const response = await inspector.open("/sessions/s1/messages", { signal: AbortSignal.abort() });
    await response.body?.cancel();
    expect(log.batches).toBeLessThanOrEqual(2);
  });
});

describe("A long array", () => {
  const long = Array.from({ length: 20_000 }, (_, n) => envelope(n));
  const source = (): InspectorDataSource =>
    handMadeSource({ loadTraceEnvelopes: async () => long, loadOrchestrationEvents: async () => [] });

  it("comes whole", async () => {
    const { body } = await inspect(source()).ask("/sessions/s1/trace");
    expect(body.envelopes).toStrictEqual(long);
  });

  it("breaks off where a record late in it cannot be written as JSON", async () => {
    const messages = [...long.map(({ event }) => event), { size: 1n }];
    const inspector = inspect(handMadeSource({ loadMessages: async () => messages }));
    const response = await inspector.open("/sessions/s1/messages");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(inspector.failures).toHaveLength(1);
  });

  it("lets the process do other things meanwhile", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await inspect(source()).ask("/sessions/s1/trace");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});
