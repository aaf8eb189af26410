import type { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { type InspectorRouteOptions, routeFrom } from "./create-inspector-route.js";
import { createInspectorContainer } from "./threaded-container.js";

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
