import type { DependencyContainer } from "tsyringe";
import { ThreadPool } from "../adapters/files/threads/thread-pool.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { containerWith, type InspectorContainerOptions } from "./container.js";
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
