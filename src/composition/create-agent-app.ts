import { type Context, Hono } from "hono";
import { openPool, THREAD_OPTIONS, type ThreadOptions } from "../adapters/files/threads/thread-pool.js";
import { APP_PATTERN } from "../adapters/web-ui/inspector-ui.js";
import { AgentAppConfigurationError, RecordingError } from "../application/errors.js";
import { DATA_SOURCE, type InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { SESSION_STORE, type SessionStore } from "../application/ports/session-store.js";
import { report } from "../application/recording/recording-error.js";
import {
  FLUSH_OPTIONS,
  RECORDER_OPTIONS,
  type RecorderOptions,
  SessionRecorder,
} from "../application/recording/session-recorder.js";
import type { FlushOptions } from "../application/recording/store-call.js";
import {
  checkOptions,
  type OptionKind,
  type OptionTable,
  readOptions,
} from "../domain/options/check-options.js";
import { FOLDER, kindOf } from "../domain/options/option-kinds.js";
import {
  INSPECTOR_PATH,
  INSPECTOR_ROUTE_OPTIONS,
  type InspectorRouteOptions,
  routeOf,
} from "./create-inspector-route.js";
import { createFilesystemInspectorDataSource } from "./filesystem-data-source.js";
import { createFilesystemSessionStore } from "./filesystem-session-store.js";
import { createInMemoryInspectorDataSource } from "./in-memory-data-source.js";
import { createInspectorContainer } from "./threaded-container.js";

export interface AgentAppOptions extends ThreadOptions {
  /** The folder that histories are written to and read from. Without it, and without a store, they stay in memory. */
  readonly dataDir?: string | undefined;
  /** Store for histories, instead of `dataDir`. */
  readonly sessionStore?: SessionStore | undefined;
  /**
   * Mounts the inspector at `/__inspector`. `true` reads from `dataDir`; an object is used as the data source. Default is no inspector.
   * `inspectorOptions.access` decides who may see which sessions; without it keep the path private.
   */
  readonly inspector?: boolean | InspectorDataSource | undefined;
  /** Options of the inspector's answers and access. Middleware that is added to the app later does not guard the inspector. */
  readonly inspectorOptions?: InspectorRouteOptions | undefined;
  /**
   * Options of the app's recorder. With `onError`, no call of the recorder rejects or waits for the store, and failures are reported to
   * `onError`. Recording then neither fails nor delays a request.
   */
  readonly recorderOptions?: RecorderOptions | undefined;
}

const SWITCH_OR_SOURCE = kindOf(
  "true, false or an InspectorDataSource",
  (value) => typeof value === "boolean",
);
const INSPECTOR: OptionKind = (name, value) =>
  typeof value === "object" && value !== null ? DATA_SOURCE(name, value) : SWITCH_OR_SOURCE(name, value);

const AGENT_APP_OPTIONS = {
  dataDir: FOLDER,
  sessionStore: SESSION_STORE,
  inspector: INSPECTOR,
  inspectorOptions: INSPECTOR_ROUTE_OPTIONS,
  recorderOptions: RECORDER_OPTIONS,
  ...THREAD_OPTIONS,
} satisfies OptionTable<AgentAppOptions>;

/** Values in the context of an agent application's handlers. */
export interface AgentAppEnv {
  Variables: {
    /** Records what the agent does. */
    sessions: SessionRecorder;
  };
}

/** Result of `createAgentApp`: a Hono app to add routes to. */
export interface AgentApp extends Hono<AgentAppEnv> {
  /** The recorder that handlers find in `c.var.sessions`. */
  readonly sessions: SessionRecorder;

  /**
   * Waits until all records are stored, also in a store that was passed in. Then releases the resources that the app opened itself: its
   * store, source and threads. The owner of a store, source or pool that was passed in closes it. Call this when the server no longer
   * answers requests; do not use the app afterwards. A second call returns the result of the first.
   *
   * @param options maximum time to wait for an unavailable store. Default is 10 seconds. `onError` of the recorder receives the records
   *   that still wait then
   * @throws TypeError if an option does not exist
   */
  close(options?: FlushOptions): Promise<void>;
}

/**
 * An agent application: a Hono app whose handlers record sessions, and that displays them at `/__inspector`. Add your own routes to it.
 *
 * @throws AgentAppConfigurationError if an option does not exist, if its value is wrong, or if options contradict each other. One error
 *   names all faults
 * @throws TypeError if `prices` is invalid
 *
 * @example
 * const app = createAgentApp({ dataDir: "./data", inspector: true });
 * app.post("/chat", async (c) => {
 *   const session = await c.var.sessions.open({ tenantId: "acme" });
 *   return c.json({ sessionId: session.sessionId });
 * });
 */
export function createAgentApp(options: AgentAppOptions = {}): AgentApp {
  const settings = checkAppOptions(options);
  const { pool, ownsPool } = openPool(settings);
  const { dataDir, inspector, inspectorOptions = {} } = settings;
  const openStore = () =>
    dataDir ? createFilesystemSessionStore(dataDir) : createInMemoryInspectorDataSource().sessionStore;
  const sessionStore = settings.sessionStore ?? openStore();
  const ownStore = settings.sessionStore === undefined ? sessionStore : undefined;
  const ownSource =
    inspector === true && dataDir ? createFilesystemInspectorDataSource(dataDir, { pool }) : undefined;
  const sessions = new SessionRecorder(sessionStore, settings.recorderOptions);
  const app = new Hono<AgentAppEnv>();
  app.use("*", async (c, next) => {
    c.set("sessions", sessions);
    // For the page, which may be in an application that is a part of another one.
    (c as Context).set(APP_PATTERN, c.req.routePath);
    await next();
  });
  const source = typeof inspector === "object" ? inspector : ownSource;
  if (source !== undefined) {
    const { prices, redactionRules } = inspectorOptions;
    const container = createInspectorContainer(source, { pool, sessionStore, prices, redactionRules });
    app.route(INSPECTOR_PATH, routeOf(container, inspectorOptions));
  }
  // The threads last, because the others may still use them; they end also where one of the others fails.
  const closeAll = async ({ timeoutMs = CLOSE_MS }: FlushOptions) => {
    try {
      const { waiting } = await sessions.flush({ timeoutMs });
      if (waiting > 0) tellWaiting(waiting, settings.recorderOptions);
      await Promise.all([ownStore?.close?.(), ownSource?.close?.()]);
    } finally {
      if (ownsPool) await pool.close();
    }
  };
  let closed: Promise<void> | undefined;
  const close = (options: FlushOptions = {}) => {
    const closing = checkOptions(FLUSH_OPTIONS, options);
    closed ??= closeAll(closing);
    return closed;
  };
  return Object.assign(app, { sessions, close });
}

/** Maximum time that closing an app waits for its store. */
const CLOSE_MS = 10_000;

function tellWaiting(waiting: number, { onError }: RecorderOptions = {}): void {
  if (onError === undefined) return; // Each caller waits for its records and receives their errors.
  report(
    onError,
    new RecordingError(
      `${waiting} records were not stored when the app was closed: the store is away, or too slow.`,
    ),
  );
}

/** @returns a copy: later changes of the options have no effect */
function checkAppOptions(options: AgentAppOptions): AgentAppOptions {
  const { copy, errors } = readOptions(AGENT_APP_OPTIONS, options);
  const settings: AgentAppOptions = copy;
  const problems = errors.map(({ message }) => message);
  const { inspector, dataDir, sessionStore } = settings;
  if (inspector === true && !dataDir) {
    problems.push(
      "`inspector: true` reads from `dataDir`, which is not set. Set `dataDir` to the folder that holds the histories.",
    );
  }
  if (inspector === true && sessionStore !== undefined) {
    problems.push(
      "`inspector: true` cannot read what a custom `sessionStore` writes. " +
        "Pass an InspectorDataSource that reads from it as `inspector`, or leave `sessionStore` out.",
    );
  }
  if (problems.length > 0) throw new AgentAppConfigurationError(problems.join(" "));
  return settings;
}
