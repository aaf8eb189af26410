import type { DependencyContainer } from "tsyringe";
import { ThreadPool } from "../adapters/files/threads/thread-pool.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { containerWith, type InspectorContainerOptions } from "./container.js";
import { exporting } from "./exporting.js";

/**
 * Creates a separate container for each inspector, because one process may mount several. Register another value for one of the `TOKENS`
 * to replace that part, then pass the container to `createInspectorRoute`. A replacement of a use case must respect `tenants` in its
 * request, or pass the request to a use case that does.
 *
 * To end the default thread at once, close it: `await container.resolve(TOKENS.readingPool).close()`.
 *
 * @throws AgentAppConfigurationError if `source` is not a data source, or if an option does not exist or has a value of another kind
 * @throws TypeError if `prices` is invalid
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
