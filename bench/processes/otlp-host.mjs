// A receiver in a host: beside a route of the host's own, in a process that is measured from outside.
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createOtlpReceiver } from "../../dist/src/otlp-receiver.js";
import { measureLateness } from "./measure-lateness.mjs";

const [directory, hangsMs] = process.argv.slice(2);
const access = () => ({ tenants: "all" });
const storage = hangsMs === undefined ? { directory } : { store: hangingStore() };
const receiver = createOtlpReceiver({ ...storage, access });

/** The first request takes this long; all others wait for it. */
function hangingStore() {
  let hanging;
  return {
    async append(lines) {
      hanging ??= wait(Number(hangsMs));
      await hanging;
      await appendFile(path.join(directory, "spans.jsonl"), lines);
    },
    close: async () => undefined,
  };
}

measureLateness();

const app = new Hono();
app.get("/co-hosted", (c) => c.json({ ok: true }));
app.route("/", receiver.app);
// The yardstick receives the same bytes without any work.
app.post("/taken", async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }));
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  process.send({ port }),
);

process.on("disconnect", () => server.close(() => process.exit()));
