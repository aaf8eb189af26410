// Yardstick: the naive way to list sessions. It reads complete files, parses every line, sorts, and answers with one JSON.stringify.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import * as claudeCode from "./naive-claude-code.mjs";
import * as dataDirectory from "./naive-data-directory.mjs";
import * as otlp from "./naive-otlp.mjs";

const LISTS = { "data-directory": dataDirectory, "claude-code": claudeCode, otlp };

const [kind, folder] = process.argv.slice(2);

const app = new Hono();
app.get("/sessions", async (c) => {
  const sessions = await LISTS[kind].sessionsIn(folder);
  sessions.sort((a, b) => (a.lastActive < b.lastActive ? 1 : -1));
  return c.json({ sessions });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send({ port }));
process.on("message", () => process.send({ maxDelayMs: 0 }));
process.on("disconnect", () => process.exit());
