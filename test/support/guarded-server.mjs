// A server that guards its inspectors by `access`. Prints its port, and its hono.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { createAgentApp } from "agent-inspector";
import {
  createFilesystemInspectorDataSource,
  createInspectorRoute,
  scopeToTenants,
} from "agent-inspector/advanced";

const dataDir = process.argv[2];
const files = createFilesystemInspectorDataSource(dataDir, { threads: false });

/** @type {import("agent-inspector").InspectorRouteOptions} */
const options = {
  access: async (c) => {
    switch (c.req.header("Authorization")) {
      case "Bearer a":
        return { tenants: ["a"] };
      case "Bearer b":
        return { tenants: ["b"] };
      case "Bearer nobody":
        return { tenants: [] };
      case "Bearer query": // trusts that the inspector reads the same parameter
        return c.req.query("tenantId") === "a" ? { tenants: "all" } : c.text("Not yours", 403);
      default:
        return c.text("Who are you?", 401);
    }
  },
};

/** @type {import("agent-inspector").InspectorDataSource} */
const fiveMethods = {
  listSessions: () => files.listSessions(),
  loadTraceEnvelopes: (...of) => files.loadTraceEnvelopes(...of),
  loadOrchestrationEvents: (...of) => files.loadOrchestrationEvents(...of),
  loadOrchestrationState: (...of) => files.loadOrchestrationState(...of),
  loadMessages: (...of) => files.loadMessages(...of),
};

/** Its search ignores all filters but the place and the length, and its revision is the same for everyone. */
const careless = {
  ...fiveMethods,
  openSession: (...of) => files.openSession(...of),
  async findSessions({ after, limit }) {
    const order = ({ lastActive, tenantId, sessionId }) => `${lastActive} ${tenantId} ${sessionId}`;
    const sorted = (await files.listSessions()).sort((x, y) => (order(x) < order(y) ? 1 : -1));
    return { items: sorted.filter((item) => !after || order(item) < order(after)).slice(0, limit) };
  },
  revision: async () => "7",
};

const app = createAgentApp({ dataDir, inspector: true, inspectorOptions: options });
app.route("/five/__inspector", createInspectorRoute(fiveMethods, options));
app.route("/careless/__inspector", createInspectorRoute(careless, options));
app.route("/scoped/__inspector", createInspectorRoute(scopeToTenants(careless, ["a"])));

const hono = fileURLToPath(import.meta.resolve("hono")).replace(/dist\/index\.js$/, "package.json");
const { version } = JSON.parse(readFileSync(hono, "utf8"));
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ port, hono: version })}\n`);
});
process.on("disconnect", () => server.close());
