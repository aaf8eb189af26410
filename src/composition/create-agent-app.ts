import { Hono } from "hono";
import { AgentAppConfigurationError } from "../application/errors.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { SessionStore } from "../application/ports/session-store.js";
import { SessionRecorder } from "../application/session-recorder.js";
import { createInspectorRoute, INSPECTOR_PATH } from "./create-inspector-route.js";
import {
  createFilesystemInspectorDataSource,
  createFilesystemSessionStore,
  createInMemoryInspectorDataSource,
} from "./data-sources.js";

export interface AgentAppOptions {
  /** The folder that histories are written to and read from. Without it, and without a store, they stay in memory. */
  readonly dataDir?: string | undefined;
  /** Where histories are written instead. */
  readonly sessionStore?: SessionStore | undefined;
  /**
   * Mounts the inspector at `/__inspector`. `true` reads from `dataDir`; an object is read from as it is. Default is no
   * inspector. It has no authentication: keep the path private.
   */
  readonly inspector?: boolean | InspectorDataSource | undefined;
}

/** What the handlers of an agent application find in their context. */
export interface AgentAppEnv {
  Variables: {
    /** Records what the agent does. */
    sessions: SessionRecorder;
  };
}

/**
 * An agent application: a Hono app whose handlers record sessions, and that shows them at `/__inspector`. Add your own
 * routes to it.
 *
 * @throws AgentAppConfigurationError where the options contradict each other
 *
 * @example
 * const app = createAgentApp({ dataDir: "./data", inspector: true });
 * app.post("/chat", async (c) => {
 *   const session = await c.var.sessions.open({ tenantId: "acme" });
 *   return c.json({ sessionId: session.sessionId });
 * });
 */
export function createAgentApp(options: AgentAppOptions = {}): Hono<AgentAppEnv> {
  checkOptions(options);
  const recorder = new SessionRecorder(sessionStoreOf(options));
  const app = new Hono<AgentAppEnv>();
  app.use("*", async (c, next) => {
    c.set("sessions", recorder);
    await next();
  });
  const source = dataSourceOf(options);
  if (source !== undefined) app.route(INSPECTOR_PATH, createInspectorRoute(source));
  return app;
}

function sessionStoreOf({ sessionStore, dataDir }: AgentAppOptions): SessionStore {
  if (sessionStore !== undefined) return sessionStore;
  return dataDir ? createFilesystemSessionStore(dataDir) : createInMemoryInspectorDataSource().sessionStore;
}

function dataSourceOf({ inspector, dataDir }: AgentAppOptions): InspectorDataSource | undefined {
  if (typeof inspector === "object") return inspector;
  return inspector === true && dataDir ? createFilesystemInspectorDataSource(dataDir) : undefined;
}

const REQUIRED_METHODS = [
  "listSessions",
  "loadTraceEnvelopes",
  "loadOrchestrationEvents",
  "loadOrchestrationState",
  "loadMessages",
] as const;

function checkOptions({ inspector, dataDir, sessionStore }: AgentAppOptions): void {
  const problems: string[] = [];
  if (inspector === true && !dataDir) {
    problems.push(
      "`inspector: true` reads from `dataDir`, which is not set. Set `dataDir` to the folder that holds the histories",
    );
  }
  if (inspector === true && sessionStore !== undefined) {
    problems.push(
      "`inspector: true` cannot read what a custom `sessionStore` writes. " +
        "Pass an InspectorDataSource that reads from it as `inspector`, or leave `sessionStore` out",
    );
  }
  if (typeof inspector === "object") {
    const missing = REQUIRED_METHODS.filter((method) => typeof inspector?.[method] !== "function");
    if (missing.length > 0) {
      problems.push(`\`inspector\` is no InspectorDataSource: it has no ${missing.join(", no ")}`);
    }
  }
  if (problems.length > 0) throw new AgentAppConfigurationError(`${problems.join(". And ")}.`);
}
