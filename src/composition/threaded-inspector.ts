import type { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { type InspectorRouteOptions, routeFrom } from "./create-inspector-route.js";
import { createInspectorContainer } from "./threaded-container.js";

/**
 * The inspector as a Hono app. Without `access` every caller can read every history of every tenant: mount it in a private network, or
 * behind a proxy that authenticates. Middleware added to the returned app guards nothing.
 * @param source the data source, or a container of `createInspectorContainer`
 * @throws AgentAppConfigurationError if `source` or an option is invalid, or if `prices` is combined with a container
 * @throws RangeError if `timeoutMs` is out of range
 * @throws TypeError if `prices` is invalid
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
