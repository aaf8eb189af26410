// The inspector on a database, beside a route of the host's own, in a process that is measured from outside.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createInspectorRoute } from "../../dist/src/advanced.js";
import { createPostgresDataSource } from "../../dist/src/postgres.js";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

const app = new Hono();
app.get("/co-hosted", (c) => c.text("ok"));
app.route(
  "/__inspector",
  createInspectorRoute(createPostgresDataSource({ connectionString: process.argv[2] })),
);
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  process.send({ port }),
);

process.on("message", (message) => {
  const maxDelayMs = delay.max / 1e6;
  if (message === "reset") delay.reset();
  process.send({ maxDelayMs });
});
process.on("disconnect", () => server.close(() => process.exit()));
