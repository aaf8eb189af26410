import type { AddressInfo } from "node:net";
import { createConnection } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createInspectorRoute } from "../../src/advanced.js";
import { INSPECTOR_PATH, type InspectorDataSource } from "../../src/index.js";
import { streamingSource, until } from "../support/streams.js";

async function start(source: InspectorDataSource, failures: unknown[] = []): Promise<number> {
  const route = createInspectorRoute(source, { onError: (error) => failures.push(error) });
  const app = new Hono().route(INSPECTOR_PATH, route);
  const server = await new Promise<ServerType>((resolve) => {
    const started: ServerType = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () =>
      resolve(started),
    );
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

describe("A real server", () => {
  it("serves a long list whole", async () => {
    const { source } = streamingSource({ batches: 20 });
    const port = await start(source);
    const response = await fetch(`http://127.0.0.1:${port}${INSPECTOR_PATH}/sessions/s1/messages`);
    const body = (await response.json()) as { messages: unknown[] };
    expect([response.status, body.messages.length]).toStrictEqual([200, 20]);
  });

  it("stops reading when the client disconnects in the middle", async () => {
    const { source, log } = streamingSource({ batches: 10_000 });
    const failures: unknown[] = [];
    const port = await start(source, failures);
    const client = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}${INSPECTOR_PATH}/sessions/s1/trace`, {
      signal: client.signal,
    });
    await response.body?.getReader().read();
    client.abort();
    await until(() => log.isEnded && log.signal?.aborted === true);
    expect(log.batches).toBeLessThan(1_000);
    expect(failures).toStrictEqual([]);
  });

  it("holds up the source for a client that does not read", async () => {
    const { source, log } = streamingSource({ batches: 10_000 });
    const port = await start(source);
    const socket = createConnection(port, "127.0.0.1");
    socket.pause();
    onTestFinished(() => {
      socket.destroy();
    });
    socket.write(`GET ${INSPECTOR_PATH}/sessions/s1/messages HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await until(() => log.batches >= 2);
    // A source without back pressure continues in every turn of the event loop.
    let held = -1;
    while (held !== log.batches) {
      held = log.batches;
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(held).toBeLessThan(200);
    socket.destroy();
    await until(() => log.isEnded);
  });

  it("breaks the connection where the source fails in the middle", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const { source } = streamingSource({ batches: 50, failsAt: 30 });
    const failures: unknown[] = [];
    const port = await start(source, failures);
    const received = await new Promise<string>((resolve) => {
      const socket = createConnection(port, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => {
        text = text.slice(-1_000) + chunk.toString("latin1");
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
      socket.write(`GET ${INSPECTOR_PATH}/sessions/s1/messages HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
    // A chunked body ends with an empty chunk; this one does not.
    expect(received.endsWith("0\r\n\r\n")).toBe(false);
    expect(failures).toMatchObject([{ message: "/secret/place is broken" }]);
    const response = await fetch(`http://127.0.0.1:${port}${INSPECTOR_PATH}/sessions/s1/messages`);
    await expect(response.text()).rejects.toThrow();
  });
});
