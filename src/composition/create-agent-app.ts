import { Hono } from "hono";
import { ThreadPool } from "../adapters/jsonl/thread-pool.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { ReadingPool } from "../application/ports/reading-pool.js";
import type { SessionStore } from "../application/ports/session-store.js";
import { type RecorderOptions, SessionRecorder } from "../application/session-recorder.js";
import { sourceProblem } from "./check-source.js";
import { createInspectorContainer } from "./container.js";
import {
  createInspectorRoute,
  INSPECTOR_PATH,
  type InspectorRouteOptions,
} from "./create-inspector-route.js";
import { createFilesystemInspectorDataSource, createInMemoryInspectorDataSource } from "./data-sources.js";
import { createFilesystemSessionStore } from "./filesystem-session-store.js";

export interface AgentAppOptions {
  /** The folder that histories are written to and read from. Without it, and without a store, they stay in memory. */
  readonly dataDir?: string | undefined;
  /** Where histories are written instead. */
  readonly sessionStore?: SessionStore | undefined;
  /**
   * Mounts the inspector at `/__inspector`. `true` reads from `dataDir`; an object is read from as it is. Default is no
   * inspector. Who may see what is decided by `inspectorOptions.access`; without it keep the path private.
   */
  readonly inspector?: boolean | InspectorDataSource | undefined;
  /** How the inspector answers, and who may see what. Middleware that is added to the app later does not guard it. */
  readonly inspectorOptions?: InspectorRouteOptions | undefined;
  /**
   * How the app's recorder records. With `onError`, which is told of what could not be recorded, no call of the recorder rejects:
   * recording never fails a request.
   */
  readonly recorderOptions?: RecorderOptions | undefined;
}

/** What the handlers of an agent application find in their context. */
export interface AgentAppEnv {
  Variables: {
    /** Records what the agent does. */
    sessions: SessionRecorder;
  };
}

/** What `createAgentApp` returns: a Hono app to add routes to. */
export interface AgentApp extends Hono<AgentAppEnv> {
  /** The recorder that handlers find in `c.var.sessions`. */
  readonly sessions: SessionRecorder;

  /**
   * Waits until what was recorded is stored, in a store that was given, too, and releases what the app opened itself: its store, its
   * source, its threads. A store or source that was given stays its owner's. To be called when the server answers no request any
   * more; the app is not used after it. A second call is the first one.
   */
  close(): Promise<void>;
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
export function createAgentApp(options: AgentAppOptions = {}): AgentApp {
  checkOptions(options);
  const pool = new ThreadPool();
  const sessionStore = options.sessionStore ?? openStore(options);
  const ownSource = openSource(options, pool);
  const sessions = new SessionRecorder(sessionStore, options.recorderOptions);
  const app = new Hono<AgentAppEnv>();
  app.use("*", async (c, next) => {
    c.set("sessions", sessions);
    await next();
  });
  const source = typeof options.inspector === "object" ? options.inspector : ownSource;
  if (source !== undefined) {
    const { prices, ...routeOptions } = options.inspectorOptions ?? {};
    const container = createInspectorContainer(source, { pool, sessionStore, prices });
    app.route(INSPECTOR_PATH, createInspectorRoute(container, routeOptions));
  }
  let closed: Promise<void> | undefined;
  const close = () => {
    const ownStore = options.sessionStore === undefined ? sessionStore : undefined;
    closed ??= sessions.flush().then(() => closeAll([ownStore, ownSource], pool));
    return closed;
  };
  return Object.assign(app, { sessions, close });
}

function openStore({ dataDir }: AgentAppOptions): SessionStore {
  return dataDir ? createFilesystemSessionStore(dataDir) : createInMemoryInspectorDataSource().sessionStore;
}

function openSource(
  { inspector, dataDir }: AgentAppOptions,
  pool: ReadingPool,
): InspectorDataSource | undefined {
  return inspector === true && dataDir ? createFilesystemInspectorDataSource(dataDir, { pool }) : undefined;
}

/** The threads last, because the others may still use them; they end also where one of the others fails. */
async function closeAll(
  parts: readonly ({ close?(): Promise<void> } | undefined)[],
  pool: ReadingPool,
): Promise<void> {
  try {
    await Promise.all(parts.map((part) => part?.close?.()));
  } finally {
    await pool.close();
  }
}

function checkOptions(options: AgentAppOptions): void {
  const { inspector, dataDir, sessionStore } = options;
  const problems: string[] = [];
  if ("access" in options) problems.push("`access` belongs into `inspectorOptions`");
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
    const problem = sourceProblem("inspector", inspector);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw new AgentAppConfigurationError(`${problems.join(". And ")}.`);
}
