// The inspector in a host: beside a route of the host's own, in a process that is measured from outside.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createInspectorRoute } from "../../dist/src/advanced.js";
import { measureLateness } from "./measure-lateness.mjs";

/** Sources are loaded on demand: the figures exclude the memory of the others. */
const SOURCES = {
  "data-directory": async (folder) => {
    const { createFilesystemInspectorDataSource } = await import("../../dist/src/advanced.js");
    return createFilesystemInspectorDataSource(folder);
  },
  "claude-code": async (folder) => {
    const { createClaudeCodeDataSource } = await import("../../dist/src/claude-code.js");
    return createClaudeCodeDataSource(folder);
  },
  codex: async (folder) => {
    const { createCodexDataSource } = await import("../../dist/src/codex.js");
    return createCodexDataSource(folder);
  },
  opencode: async (folder) => {
    const { openHistories } = await import("../../dist/src/histories.js");
    return openHistories("opencode", folder);
  },
  otlp: async (folder) => {
    const { createOtlpDataSource } = await import("../../dist/src/otlp.js");
    return createOtlpDataSource({ directory: folder });
  },
  postgres: async (connectionString) => {
    const { createPostgresDataSource } = await import("../../dist/src/postgres.js");
    return createPostgresDataSource({ connectionString });
  },
};

const [kind, place] = process.argv.slice(2);
const source = await SOURCES[kind](place);

measureLateness();

const app = new Hono();
app.get("/co-hosted", (c) => c.json({ ok: true }));
app.route("/__inspector", createInspectorRoute(source));
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  process.send({ port }),
);

process.on("disconnect", () => server.close(() => process.exit()));
