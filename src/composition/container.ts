import "reflect-metadata";
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from "tsyringe";
import { ThreadPool } from "../adapters/files/threads/thread-pool.js";
import { MODEL_PRICES, type ModelPrices } from "../adapters/prices/own-prices.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import { AnalysisReader } from "../application/explain/analysis-reader.js";
import { CallPricing } from "../application/explain/call-pricing.js";
import { TraceOrders } from "../application/explain/trace-orders.js";
import { DATA_SOURCE, type InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { READING_POOL, type ReadingPool } from "../application/ports/reading-pool.js";
import { SESSION_STORE, type SessionStore } from "../application/ports/session-store.js";
import { CheckHealth } from "../application/questions/check-health.js";
import { CompareSessions } from "../application/questions/compare-sessions.js";
import type { InspectorUseCases } from "../application/questions/endpoints.js";
import { GetCallContext } from "../application/questions/get-call-context.js";
import { GetMessageProvenance } from "../application/questions/get-message-provenance.js";
import { GetSessionMessages } from "../application/questions/get-session-messages.js";
import { GetSessionOrchestration } from "../application/questions/get-session-orchestration.js";
import { GetSessionTrace } from "../application/questions/get-session-trace.js";
import { ListSessions } from "../application/questions/list-sessions.js";
import { SearchRecords } from "../application/questions/search-records.js";
import { SummarizeSession } from "../application/questions/summarize-session.js";
import { SessionRecorder, SYSTEM_CLOCK } from "../application/recording/session-recorder.js";
import { checkOptions, type OptionTable } from "../domain/options/check-options.js";
import { priceTableOf } from "./price-table.js";
import { TOKENS } from "./tokens.js";

export interface InspectorContainerOptions {
  /**
   * Where long computations run; it stays its owner's to close. Default is one thread, which starts with the first search, long
   * trace or list of sessions that used models, ends when it has had nothing to do for a while, and does not keep the process alive.
   */
  readonly pool?: ReadingPool | undefined;
  /** Where the recorder writes histories. Default is nowhere: then no recorder can be resolved. */
  readonly sessionStore?: SessionStore | undefined;
  /** What models cost, above the prices that are bundled; `false` prices nothing. Default is the bundled ones alone. */
  readonly prices?: ModelPrices | false | undefined;
}

const CONTAINER_OPTIONS = {
  pool: READING_POOL,
  sessionStore: SESSION_STORE,
  prices: MODEL_PRICES,
} satisfies OptionTable<InspectorContainerOptions>;

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
  const error = DATA_SOURCE("source", source);
  if (error !== undefined) throw new AgentAppConfigurationError(error.message);
  checkOptions(CONTAINER_OPTIONS, options, AgentAppConfigurationError);
  const { pool, sessionStore, prices } = options;
  const child = container.createChildContainer();
  /** Made when it is first asked for, of the parts that are registered by then. */
  const register = <T>(part: InjectionToken<T>, make: (parts: DependencyContainer) => T) =>
    child.register(part, { useFactory: instanceCachingFactory(make) });

  const readingParts = (parts: DependencyContainer) =>
    [parts.resolve(TOKENS.dataSource), parts.resolve(TOKENS.readingPool)] as const;
  const ordersOf = instanceCachingFactory((parts) => new TraceOrders(parts.resolve(TOKENS.readingPool)));

  child.register(TOKENS.dataSource, { useValue: source });
  child.register(TOKENS.clock, { useValue: SYSTEM_CLOCK });
  child.register(TOKENS.priceTable, { useValue: priceTableOf(prices) });
  register(TOKENS.readingPool, () => pool ?? new ThreadPool(1, "keeping"));
  register(
    TOKENS.callPricing,
    (parts) => new CallPricing(parts.resolve(TOKENS.priceTable), parts.resolve(TOKENS.readingPool)),
  );
  if (sessionStore !== undefined) child.register(TOKENS.sessionStore, { useValue: sessionStore });
  register(
    TOKENS.recorder,
    (parts) =>
      new SessionRecorder(parts.resolve(TOKENS.sessionStore), { clock: parts.resolve(TOKENS.clock) }),
  );
  register(
    TOKENS.listSessions,
    (parts) => new ListSessions(parts.resolve(TOKENS.dataSource), parts.resolve(TOKENS.callPricing)),
  );
  register(TOKENS.getSessionTrace, (parts) => new GetSessionTrace(...readingParts(parts), ordersOf(parts)));
  register(
    TOKENS.getSessionOrchestration,
    (parts) => new GetSessionOrchestration(parts.resolve(TOKENS.dataSource)),
  );
  register(TOKENS.getSessionMessages, (parts) => new GetSessionMessages(parts.resolve(TOKENS.dataSource)));
  register(TOKENS.getCallContext, (parts) => new GetCallContext(...readingParts(parts), ordersOf(parts)));
  register(
    TOKENS.getMessageProvenance,
    (parts) => new GetMessageProvenance(...readingParts(parts), ordersOf(parts)),
  );
  register(
    TOKENS.searchRecords,
    (parts) => new SearchRecords(...readingParts(parts), { orders: ordersOf(parts) }),
  );
  const analysisReaderOf = instanceCachingFactory(
    (parts) =>
      new AnalysisReader(parts.resolve(TOKENS.readingPool), {
        orders: ordersOf(parts),
        pricing: parts.resolve(TOKENS.callPricing),
      }),
  );
  register(
    TOKENS.summarizeSession,
    (parts) => new SummarizeSession(parts.resolve(TOKENS.dataSource), analysisReaderOf(parts)),
  );
  register(
    TOKENS.compareSessions,
    (parts) => new CompareSessions(parts.resolve(TOKENS.dataSource), analysisReaderOf(parts)),
  );
  register(TOKENS.checkHealth, () => new CheckHealth());
  return child;
}

/** The use cases of a container, with those that were registered in the place of one. */
export function useCasesOf(container: DependencyContainer): InspectorUseCases {
  return {
    listSessions: container.resolve(TOKENS.listSessions),
    getSessionTrace: container.resolve(TOKENS.getSessionTrace),
    getSessionOrchestration: container.resolve(TOKENS.getSessionOrchestration),
    getSessionMessages: container.resolve(TOKENS.getSessionMessages),
    summarizeSession: container.resolve(TOKENS.summarizeSession),
    compareSessions: container.resolve(TOKENS.compareSessions),
    getCallContext: container.resolve(TOKENS.getCallContext),
    getMessageProvenance: container.resolve(TOKENS.getMessageProvenance),
    searchRecords: container.resolve(TOKENS.searchRecords),
    checkHealth: container.resolve(TOKENS.checkHealth),
  };
}
