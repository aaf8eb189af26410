import type { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { type InspectorRouteOptions, routeFrom } from "./create-inspector-route.js";
import { createInspectorContainer } from "./threaded-container.js";

/**
 * The inspector as a Hono app, for an application that does not use `createAgentApp`.
 *
 * Without `access` everyone who can reach it can read every history of every tenant. In that case mount it in a private network, or use a
 * proxy that authenticates. Middleware that is added to the returned app is never reached and guards nothing.
 *
 * @param source the data source, or a container of `createInspectorContainer` with replaced parts
 * @throws AgentAppConfigurationError if `source` is not a data source, if an option does not exist or has a value of another kind, or if
 *   `prices` is combined with a container
 * @throws RangeError if `timeoutMs` is out of range
 * @throws TypeError if `prices` is invalid
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
