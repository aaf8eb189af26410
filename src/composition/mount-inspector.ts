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
  /** A data source, or a container of `createInspectorContainer`. Its owner closes it. */
  readonly source: InspectorDataSource | DependencyContainer;
  /**
   * Path of the page, without the part that a proxy or the host's router strips. Segments consist of letters, digits, `-`, `_`, `.` and
   * `~`; `/` matches every request. Default is `/inspect`.
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

export interface MountedInspector {
  /** Without a slash at the end; `""` matches every path. */
  readonly basePath: string;
  /** For a Hono application: `app.route("/", inspector.app)`. */
  readonly app: Hono;
  /** For hosts of the Fetch API. A path outside of `basePath` is 404. */
  readonly fetch: Hono["fetch"];
  /**
   * For hosts of Node.js. A `url` outside of `basePath` goes to `next`, or is 404 without it.
   * @returns the result of `next`, or a promise that is fulfilled after the answer is written
   */
  readonly listener: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: () => unknown,
  ) => Promise<void> | void;
  /** Ends the inspector's own thread. The owner of a source, container or pool closes it. */
  close(): Promise<void>;
}

/**
 * The API and the page for an application of any framework; `docs/embedding.md` has recipes. Without `access` every caller can read every
 * history of every tenant. Place a guard of the host at `basePath`, ahead of the inspector: another spelling of `basePath` is answered
 * with 404.
 * @throws AgentAppConfigurationError if an option is invalid, or if a container is combined with `prices`, `redactionRules`, `threads` or
 *   `pool`
 * @throws RangeError if `timeoutMs` is out of range
 * @throws TypeError if `prices` is invalid
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
      "`threads` and `pool` are for a source: a container uses the `pool` of `createInspectorContainer`.",
    );
  }
  const { pool, ownsPool } = openPool(settings, "keeping");
  const container = containerOf(source, settings, (dataSource, others) =>
    createInspectorContainer(dataSource, { ...others, pool }),
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
        const hint = `The application removed ${basePath} from the address before the inspector received the request. Mount it with basePath "/".`;
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

/** Loaded with the first request: a host may not be Node.js. */
async function listenerOf({ fetch }: Hono) {
  const { getRequestListener } = await import("@hono/node-server");
  // Otherwise it would replace the host's `Request` and `Response`.
  return getRequestListener(fetch, { overrideGlobalObjects: false });
}

function isBelow(target = "", basePath: string): boolean {
  const path = pathOf(target);
  return isPlainTarget(target) && (path === basePath || path.startsWith(`${basePath}/`));
}

/**
 * True if the host has stripped the path of the page, as Express does for `app.use(basePath, …)`. The answer is a 404 with a hint, not
 * the page: below `app.use("/:tenant", …)` no guard at `basePath` would have checked the request.
 */
function isPageCutOff(
  request: IncomingMessage & { readonly originalUrl?: unknown },
  basePath: string,
): boolean {
  const { url = "", originalUrl } = request;
  if (basePath === "" || typeof originalUrl !== "string" || pathOf(url) !== "/") return false;
  return pathOf(originalUrl).replace(/\/$/, "").endsWith(basePath);
}
