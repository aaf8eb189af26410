/** Serves the built UI on the fixtures: `node --import tsx ui/test/serve-fixtures.ts [PORT] [SMALL SESSIONS]`. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import { createInspectorUi } from "../../src/ui.js";
import {
  checkoutSession,
  crowdedSession,
  farFilesSession,
  hostileSession,
  longSession,
  manySessions,
} from "./fixtures/histories.js";

const [port = "45100", small = "60"] = process.argv.slice(2);
const source = createInMemoryInspectorDataSource([
  checkoutSession(),
  farFilesSession(),
  hostileSession(),
  crowdedSession(),
  longSession(3000),
  ...manySessions(Number(small)),
]);
const app = new Hono();
app.route("/__inspector", createInspectorRoute(source));
app.route("/", createInspectorUi());
serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" }, (bound) => {
  process.stdout.write(`http://127.0.0.1:${bound.port}/\n`);
});
