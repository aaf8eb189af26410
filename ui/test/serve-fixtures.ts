/** Serves the built UI on the fixtures: `node --import tsx ui/test/serve-fixtures.ts [PORT] [SMALL SESSIONS]`. */
import { serve } from "@hono/node-server";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { createAgentApp } from "../../src/index.js";
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
// `tsx` compiles sources for this process, not for its threads.
const app = createAgentApp({ sessionStore: source.sessionStore, inspector: source, threads: false });
app.route("/", createInspectorUi());
serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" }, (bound) => {
  process.stdout.write(`http://127.0.0.1:${bound.port}/\n`);
});
