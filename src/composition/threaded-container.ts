import type { DependencyContainer } from "tsyringe";
import { ThreadPool } from "../adapters/files/threads/thread-pool.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { containerWith, type InspectorContainerOptions } from "./container.js";
import { exporting } from "./exporting.js";

/**
 * One process may mount several inspectors: each gets its own container. Register another value for one of the `TOKENS` to replace that
 * part. A replacement of a use case must respect `tenants` in its request. `await container.resolve(TOKENS.readingPool).close()` ends the
 * default thread at once.
 * @throws AgentAppConfigurationError if `source` or an option is invalid
 * @throws TypeError if `prices` is invalid
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
