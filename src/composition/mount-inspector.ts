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
import { createInspectorContainer } from "./threaded-container.js";

export interface MountInspectorOptions
  extends InspectorRouteOptions,
    ThreadOptions,
    Pick<InspectorUiOptions, "assets" | "views"> {
  /** What is shown, or a container of `createInspectorContainer` in which parts were replaced. It stays its owner's to close. */
  readonly source: InspectorDataSource | DependencyContainer;
  /**
   * The path of the page as the inspector is given it, so without what a proxy or the host's own router cuts off: segments of letters,
   * digits, `-`, `_`, `.` and `~`. `/` is everything that it is given. Default is `/inspect`.
   *
   * @example
   * app.use("/inspect", mountInspector({ source, basePath: "/" }).listener); // Express cuts `/inspect` off
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
  views: UI_OPTIONS.views,
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
   * For hosts of Node.js. It answers what is below `basePath` in the request's `url`; anything else is for `next`, or 404 without it.
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
 *   `prices`, `redactionRules`, `threads` or `pool`, too
 * @throws RangeError for a `timeoutMs` that is out of range
 * @throws TypeError for `prices` that are none
 *
 * @example
 * const inspector = mountInspector({ source, access: () => ({ tenants: "all" }) });
 * express().use(inspector.listener); // open /inspect
 */
export function mountInspector(options: MountInspectorOptions): MountedInspector {
  const settings = checkOptions(MOUNT_OPTIONS, options, AgentAppConfigurationError);
  const { source, assets, views } = settings;
  const basePath = (settings.basePath ?? "/inspect").replace(/\/$/, "");
  if (isContainer(source) && (settings.threads ?? settings.pool) !== undefined) {
    throw new AgentAppConfigurationError(
      "`threads` and `pool` are for a source: a container has the `pool` that `createInspectorContainer` was given.",
    );
  }
  const { pool, ownsPool } = openPool(settings, "keeping");
  const container = containerOf(source, settings, (shown, others) =>
    createInspectorContainer(shown, { ...others, pool }),
  );
  const inside = new Hono()
    .route("/api", routeOf(container, settings))
    .route("/", createInspectorUi({ apiUrl: "./api", assets, views }));
  const app = basePath === "" ? inside : new Hono().route(basePath, inside);

  let listener: ReturnType<typeof listenerOf> | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    listener ??= listenerOf(app);
    await (await listener)(request, response);
  };
  return {
    basePath,
    app,
    fetch: app.fetch,
    listener(request, response, next) {
      if (isPageCutOff(request, basePath)) {
        const hint = `The application cut ${basePath} off before the inspector was asked: mount it with basePath "/".`;
        response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end(hint);
        return;
      }
      if (next === undefined || isBelow(request.url, basePath)) return answer(request, response);
      return next() as Promise<void> | void;
    },
    async close() {
      if (ownsPool && !isContainer(source)) await pool.close();
    },
  };
}

/** Loaded with the first request: not every host is one of Node.js. */
async function listenerOf({ fetch }: Hono) {
  const { getRequestListener } = await import("@hono/node-server");
  // The host's own `Request` and `Response` stay what they are.
  return getRequestListener(fetch, { overrideGlobalObjects: false });
}

function isBelow(target = "", basePath: string): boolean {
  const path = pathOf(target);
  return isPlainTarget(target) && (path === basePath || path.startsWith(`${basePath}/`));
}

/**
 * Whether somebody opens the page where the host has cut its path off, as Express does for `app.use(basePath, …)`. Who does not know why is
 * told. It is not answered: below `app.use("/:tenant", …)` it could be a tenant of that name, and no guard at `basePath` would have seen it.
 */
function isPageCutOff(
  request: IncomingMessage & { readonly originalUrl?: unknown },
  basePath: string,
): boolean {
  const { url = "", originalUrl } = request;
  if (basePath === "" || typeof originalUrl !== "string" || pathOf(url) !== "/") return false;
  return pathOf(originalUrl).replace(/\/$/, "").endsWith(basePath);
}
