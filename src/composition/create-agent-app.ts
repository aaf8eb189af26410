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
  /** Folder of the histories. Without it, and without a store, they stay in memory. */
  readonly dataDir?: string | undefined;
  readonly sessionStore?: SessionStore | undefined;
  /**
   * `true` mounts the inspector of `dataDir` at `/__inspector`, an object that of a data source. Default is no inspector. Without
   * `inspectorOptions.access`, keep the path private.
   */
  readonly inspector?: boolean | InspectorDataSource | undefined;
  /** Middleware added to the app later does not guard the inspector. */
  readonly inspectorOptions?: InspectorRouteOptions | undefined;
  /** With `onError`, no call of the recorder rejects or waits for the store: recording then neither fails nor delays a request. */
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

export interface AgentAppEnv {
  Variables: {
    sessions: SessionRecorder;
  };
}

export interface AgentApp extends Hono<AgentAppEnv> {
  readonly sessions: SessionRecorder;

  /**
   * Waits until all records are stored, then releases the store, source and threads that the app opened itself. Call this when the server
   * no longer answers requests. A second call returns the result of the first.
   * @param options maximum time to wait for an unavailable store, by default 10 seconds. `onError` of the recorder receives the records
   *   that still wait
   * @throws TypeError if an option does not exist
   */
  close(options?: FlushOptions): Promise<void>;
}

/**
 * A Hono app whose handlers record sessions, and that displays them at `/__inspector`.
 * @throws AgentAppConfigurationError if options are invalid or contradict each other. One error names all faults
 * @throws TypeError if `prices` is invalid
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
    (c as Context).set(APP_PATTERN, c.req.routePath);
    await next();
  });
  const source = typeof inspector === "object" ? inspector : ownSource;
  if (source !== undefined) {
    const { prices, redactionRules } = inspectorOptions;
    const container = createInspectorContainer(source, { pool, sessionStore, prices, redactionRules });
    app.route(INSPECTOR_PATH, routeOf(container, inspectorOptions));
  }
  // The threads last, because the others may still use them; also if one of the others fails.
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

const CLOSE_MS = 10_000;

function tellWaiting(waiting: number, { onError }: RecorderOptions = {}): void {
  if (onError === undefined) return;
  report(
    onError,
    new RecordingError(
      `${waiting} records were not stored when the app was closed: the store is away, or too slow.`,
    ),
  );
}

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
