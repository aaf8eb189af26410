import type { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import { ThreadPool } from "../adapters/files/threads/thread-pool.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { containerWith, type InspectorContainerOptions } from "./container.js";
import { type InspectorRouteOptions, routeFrom } from "./create-inspector-route.js";
import { exporting } from "./exporting.js";

/**
 * A container of its own for each inspector, because one process may mount several. Register another value for one of the
 * `TOKENS` to replace that part, then give the container to `createInspectorRoute`. A use case holds to `tenants` in its request, or
 * hands the request on to one that does.
 *
 * To end the default thread at once, close it: `await container.resolve(TOKENS.readingPool).close()`.
 *
 * @throws AgentAppConfigurationError where `source` is no data source, and for an option that there is not, or whose value is of
 *   another kind
 * @throws TypeError for `prices` that are none
 *
 * @example
 * const container = createInspectorContainer(createFilesystemInspectorDataSource("./data"));
 * const trace = container.resolve(TOKENS.getSessionTrace);
 * container.register(TOKENS.getSessionTrace, {
 *   useValue: {
 *     execute(request, options) {
 *       log(`${request.sessionId} is read`);
 *       return trace.execute(request, options);
 *     },
 *   },
 * });
 * app.route(INSPECTOR_PATH, createInspectorRoute(container));
 */
export function createInspectorContainer(
  source: InspectorDataSource,
  options: InspectorContainerOptions = {},
): DependencyContainer {
  return containerWith(source, options, {
    openPool: () => new ThreadPool(1, "keeping"),
    exporting: exporting(),
  });
}

/**
 * The inspector as a Hono app, for an application that does not use `createAgentApp`.
 *
 * Without `access` everyone who can reach it can read every history of every tenant: mount it in a private network then, or
 * behind a proxy that authenticates. Middleware that is added to what this returns is never reached and guards nothing.
 *
 * @param source what is shown, or a container of `createInspectorContainer` in which parts were replaced
 * @throws AgentAppConfigurationError where `source` is no data source, for an option that there is not, or whose value is of another
 *   kind, and where a container is given and `prices`, too
 * @throws RangeError for a `timeoutMs` that is out of range
 * @throws TypeError for `prices` that are none
 *
 * @example
 * const app = new Hono();
 * app.route(INSPECTOR_PATH, createInspectorRoute(createFilesystemInspectorDataSource("./data")));
 */
export function createInspectorRoute(
  source: InspectorDataSource | DependencyContainer,
  options: InspectorRouteOptions = {},
): Hono {
  return routeFrom(source, options, createInspectorContainer);
}
