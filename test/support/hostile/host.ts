/** A process for hostile sources: an uncaught error ends it. It prints its port once it listens. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createInspectorRoute } from "../../../src/advanced.js";
import { HOSTILE_CASES } from "./cases.js";

const app = new Hono().get("/co-hosted", (c) => c.text("the host's"));
for (const [i, { source, timeoutMs, onError }] of HOSTILE_CASES.entries()) {
  app.route(
    `/${i}`,
    createInspectorRoute(source, { timeoutMs, onError: onError as (() => void) | undefined }),
  );
}
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
