import type { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { InProcessPool } from "../application/threads/in-process-pool.js";
import { containerWith, type InspectorContainerOptions } from "./container.js";
import { type InspectorRouteOptions, routeFrom } from "./create-inspector-route.js";

/**
 * `createInspectorContainer` for a runtime without threads and files: long computations run on the event loop, a few milliseconds at a
 * time.
 * @throws AgentAppConfigurationError if `source` or an option is invalid
 * @throws TypeError if `prices` is invalid
 * @example
 * const container = createInspectorContainer(source);
 * container.register(TOKENS.checkHealth, { useValue: { execute: () => ({ status: "ok" }) } });
 * export default createInspectorRoute(container);
 */
export function createInspectorContainer(
  source: InspectorDataSource,
  options: InspectorContainerOptions = {},
): DependencyContainer {
  return containerWith(source, options, {
    openPool: () => new InProcessPool(),
    // Without files, secrets cannot be detected, so nothing is written.
    exporting: { writers: () => ({}), redaction: () => undefined, writer: "" },
  });
}

/**
 * `createInspectorRoute` for a runtime without threads and files. Without `access` every caller can read every history of every tenant.
 * @param source the data source, or a container of this entry point's `createInspectorContainer`
 * @throws AgentAppConfigurationError if `source` or an option is invalid, or if `prices` is combined with a container
 * @throws RangeError if `timeoutMs` is out of range
 * @throws TypeError if `prices` is invalid
 * @example
 * const app = new Hono();
 * app.route(INSPECTOR_PATH, createInspectorRoute(createInMemoryInspectorDataSource(), { access }));
 * export default app;
 */
export function createInspectorRoute(
  source: InspectorDataSource | DependencyContainer,
  options: InspectorRouteOptions = {},
): Hono {
  return routeFrom(source, options, createInspectorContainer);
}
