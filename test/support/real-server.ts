import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { onTestFinished } from "vitest";

/** Serves until the end of the test. */
export function serveApp(app: Hono): Promise<number> {
  return serveListener(getRequestListener((request, env) => app.fetch(request, env)));
}

/** Without a framework, which would resolve the address of a request. */
export async function serveListener(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** `fetch` would resolve and encode the request target. */
export async function requestRaw(
  port: number,
  target: string,
  { method = "GET", headers = [] }: { readonly method?: string; readonly headers?: readonly string[] } = {},
): Promise<RawAnswer> {
  const socket = createConnection(port, "127.0.0.1");
  const lines = [`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const answer = await text(socket);
  const end = answer.indexOf("\r\n\r\n");
  const [statusLine = "", ...fields] = answer.slice(0, end).split("\r\n");
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: new Headers(
      fields.map((field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1)]),
    ),
    body: answer.slice(end + 4),
  };
}
