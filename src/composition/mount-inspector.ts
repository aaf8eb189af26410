import type { IncomingMessage, ServerResponse } from "node:http";
import { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import { openPool, THREAD_OPTIONS, type ThreadOptions } from "../adapters/files/threads/thread-pool.js";
import { isPlainTarget, pathOf } from "../adapters/http/literal-path.js";
import { createInspectorUi, type InspectorUiOptions, UI_OPTIONS } from "../adapters/web-ui/inspector-ui.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import { DATA_SOURCE, type InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { checkOptions, type OptionKind, type OptionTable } from "../domain/options/check-options.js";
import { kindOf, required } from "../domain/options/option-kinds.js";
import {
  containerOf,
  INSPECTOR_ROUTE_OPTIONS,
  type InspectorRouteOptions,
  isContainer,
  routeOf,
} from "./create-inspector-route.js";
import { createInspectorContainer } from "./threaded-inspector.js";

export interface MountInspectorOptions
  extends InspectorRouteOptions,
    ThreadOptions,
    Pick<InspectorUiOptions, "assets"> {
  /** What is shown, or a container of `createInspectorContainer` in which parts were replaced. It stays its owner's to close. */
  readonly source: InspectorDataSource | DependencyContainer;
  /**
   * The path of the page in the host's own router, without what a proxy cuts off before: segments of letters, digits, `-`, `_`, `.` and
   * `~`. `/` is everything that the host passes on. Default is `/inspect`.
   */
  readonly basePath?: string | undefined;
}

const SOURCE: OptionKind = (name, value) => (isContainer(value) ? undefined : DATA_SOURCE(name, value));

const BASE_PATH = kindOf(
  "a path such as /inspect, of letters, digits, -, _, . and ~",
  (value) => typeof value === "string" && /^(?:\/[\w.~-]+)*\/?$/.test(value) && isPlainTarget(value),
);

const MOUNT_OPTIONS = {
  ...INSPECTOR_ROUTE_OPTIONS,
  source: required(SOURCE),
  basePath: BASE_PATH,
  assets: UI_OPTIONS.assets,
  ...THREAD_OPTIONS,
} satisfies OptionTable<MountInspectorOptions>;

/** An inspector for any host: the page at `basePath`, the API below it at `api`. */
export interface MountedInspector {
  /** Where it is, without a slash at the end; `""` is everywhere. */
  readonly basePath: string;
  /** For a Hono application: `app.route("/", inspector.app)`. */
  readonly app: Hono;
  /** For hosts of the Fetch API. What is not below `basePath` is 404. */
  readonly fetch: Hono["fetch"];
  /**
   * For hosts of Node.js. It answers what is below `basePath`, in `url` or, where the host cut that off (`app.use(basePath, …)`), in
   * `originalUrl`; anything else is for `next`, or 404 without it.
   *
   * @returns what `next` returns, or a promise that is fulfilled when the answer was written
   */
  readonly listener: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: () => unknown,
  ) => Promise<void> | void;
  /** Ends the thread that it may have started; the inspector is not used after it. A source, container or pool stays its owner's to close. */
  close(): Promise<void>;
}

/**
 * The API and the page for an application of any framework, below one path. `docs/embedding.md` has a recipe for each.
 *
 * Without `access` everyone who can reach it can read every history of every tenant. A guard of the host's stands before it, at `basePath`:
 * a path that spells that in another way is 404.
 *
 * @throws AgentAppConfigurationError for an option that there is not, or whose value is of another kind, and where a container is given and
 *   `prices`, `threads` or `pool`, too
 * @throws RangeError for a `timeoutMs` that is out of range
 * @throws TypeError for `prices` that are none
 *
 * @example
 * const inspector = mountInspector({ source, access: () => ({ tenants: "all" }) });
 * express().use(inspector.listener); // open /inspect
 */
export function mountInspector(options: MountInspectorOptions): MountedInspector {
  checkOptions(MOUNT_OPTIONS, options, AgentAppConfigurationError);
  const { source } = options;
  const basePath = (options.basePath ?? "/inspect").replace(/\/$/, "");
  if (isContainer(source) && (options.threads ?? options.pool) !== undefined) {
    throw new AgentAppConfigurationError(
      "`threads` and `pool` are for a source: a container has the `pool` that `createInspectorContainer` was given.",
    );
  }
  const { pool, ownsPool } = openPool(options, "keeping");
  const container = containerOf(source, options, (shown, given) =>
    createInspectorContainer(shown, { ...given, pool }),
  );
  const inside = new Hono()
    .route("/api", routeOf(container, options))
    .route("/", createInspectorUi({ apiUrl: "./api", assets: options.assets }));
  const app = basePath === "" ? inside : new Hono().route(basePath, inside);

  let listeners: ReturnType<typeof listenersOf> | undefined;
  const answer = async (isInside: boolean, request: IncomingMessage, response: ServerResponse) => {
    listeners ??= listenersOf(app, inside);
    const { below, cutOff } = await listeners;
    await (isInside ? cutOff : below)(request, response);
  };
  return {
    basePath,
    app,
    fetch: app.fetch,
    listener(request, response, next) {
      const isInside = isCutOff(request, basePath);
      if (next !== undefined && !isInside && !isBelow(request.url, basePath)) {
        return next() as Promise<void> | void;
      }
      return answer(isInside, request, response);
    },
    async close() {
      if (ownsPool && !isContainer(source)) await pool.close();
    },
  };
}

/** For paths that hold `basePath`, and for those it is cut off from. Loaded with the first request: not every host is one of Node.js. */
async function listenersOf(below: Hono, cutOff: Hono) {
  const { getRequestListener } = await import("@hono/node-server");
  // The host's own `Request` and `Response` stay what they are.
  const listenerOf = ({ fetch }: Hono) => getRequestListener(fetch, { overrideGlobalObjects: false });
  return { below: listenerOf(below), cutOff: listenerOf(cutOff) };
}

function isBelow(target = "", basePath: string): boolean {
  const path = pathOf(target);
  return isPlainTarget(target) && (path === basePath || path.startsWith(`${basePath}/`));
}

/** Whether the host cut off a path that ends with `basePath`, as Express does for `app.use(basePath, …)`. */
function isCutOff(request: IncomingMessage & { readonly originalUrl?: unknown }, basePath: string): boolean {
  const { url = "", originalUrl } = request;
  if (basePath === "" || typeof originalUrl !== "string") return false;
  const whole = pathOf(originalUrl);
  const rest = pathOf(url);
  if (whole === rest) return false;
  // `/inspect` without a slash leaves one all the same.
  const cut = whole.endsWith(rest) ? whole.slice(0, -rest.length) : rest === "/" ? whole : "";
  return cut.endsWith(basePath);
}
