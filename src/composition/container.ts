import "reflect-metadata"; // Bun runs it before tsyringe only where one module imports both
import "./metadata.js";
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from "tsyringe";
import { MODEL_PRICES, type ModelPrices } from "../adapters/prices/own-prices.js";
import { priceTableOf } from "../adapters/prices/price-table.js";
import { REDACTION_RULES } from "../adapters/redaction/own-rules.js";
import { AnalysisReader } from "../application/analysis/analysis-reader.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import { ExportSession } from "../application/export/export-session.js";
import { partNamed } from "../application/export/part-named.js";
import { ReviewExport } from "../application/export/review-export.js";
import { FilteredSessions } from "../application/listing/filtered-sessions.js";
import { SessionFactsReader } from "../application/listing/session-facts-reader.js";
import { type CachedEdits, NO_CACHED_EDITS } from "../application/ports/cached-edits.js";
import type { OwnRule } from "../application/ports/export.js";
import { DATA_SOURCE, type InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { PriceTable } from "../application/ports/price-table.js";
import { READING_POOL, type ReadingPool } from "../application/ports/reading-pool.js";
import { SESSION_STORE, type SessionStore } from "../application/ports/session-store.js";
import { CallPricing, PricedSessions } from "../application/pricing/call-pricing.js";
import { CheckHealth } from "../application/questions/check-health.js";
import { CompareSessions } from "../application/questions/compare-sessions.js";
import { DescribeModel } from "../application/questions/describe-model.js";
import { ExplainLines } from "../application/questions/explain-lines.js";
import { GetCallContext } from "../application/questions/get-call-context.js";
import { GetMessageProvenance } from "../application/questions/get-message-provenance.js";
import { GetOverview } from "../application/questions/get-overview.js";
import { GetSessionMessages } from "../application/questions/get-session-messages.js";
import { GetSessionOrchestration } from "../application/questions/get-session-orchestration.js";
import { GetSessionTrace } from "../application/questions/get-session-trace.js";
import { ListSessions } from "../application/questions/list-sessions.js";
import { ListSources } from "../application/questions/list-sources.js";
import { SearchRecords } from "../application/questions/search-records.js";
import { SearchSessions } from "../application/questions/search-sessions.js";
import { SummarizeSession } from "../application/questions/summarize-session.js";
import type { InspectorUseCases } from "../application/questions/use-cases.js";
import type { RecorderClock } from "../application/recording/recording.js";
import { SessionRecorder, SYSTEM_CLOCK } from "../application/recording/session-recorder.js";
import { TraceOrders } from "../application/records/trace-orders.js";
import { checkOptions, type OptionTable } from "../domain/options/check-options.js";
import type { Exporting } from "./exporting.js";

export interface InspectorContainerOptions {
  /**
   * Pool for long computations. Its owner closes it. Default is one thread, which ends when it is idle and does not keep the process
   * alive; in `agent-inspector/edge` it is the event loop.
   */
  readonly pool?: ReadingPool | undefined;
  /** Without a store no recorder can be resolved. */
  readonly sessionStore?: SessionStore | undefined;
  /** Override the bundled prices; `false` disables prices. Default is the bundled prices. */
  readonly prices?: ModelPrices | false | undefined;
  /** Rules for text to remove from exports, besides secrets and personal data. None by default. */
  readonly redactionRules?: readonly OwnRule[] | undefined;
}

const CONTAINER_OPTIONS = {
  pool: READING_POOL,
  sessionStore: SESSION_STORE,
  prices: MODEL_PRICES,
  redactionRules: REDACTION_RULES,
} satisfies OptionTable<InspectorContainerOptions>;

interface InspectorParts extends InspectorUseCases {
  readonly exportSession: Pick<ExportSession, "execute" | "review">;
  readonly dataSource: InspectorDataSource;
  readonly readingPool: ReadingPool;
  readonly priceTable: PriceTable;
  readonly callPricing: CallPricing;
  readonly traceOrders: TraceOrders;
  readonly analysisReader: AnalysisReader;
  readonly filteredSessions: FilteredSessions;
  readonly cachedEdits: CachedEdits;
  readonly clock: RecorderClock;
  /** Resolves only if a store was passed or registered. */
  readonly sessionStore: SessionStore;
  readonly recorder: SessionRecorder;
}

interface ContainerInput extends InspectorContainerOptions {
  readonly source: InspectorDataSource;
  readonly runtime: InspectorRuntime;
}

export interface InspectorRuntime {
  readonly openPool: () => ReadingPool;
  readonly exporting: Exporting;
}

const FACTORIES: {
  readonly [Name in keyof InspectorParts]: (
    parts: InspectorParts,
    input: ContainerInput,
  ) => InspectorParts[Name];
} = {
  dataSource: (_, { source }) => source,
  readingPool: (_, { pool, runtime }) => pool ?? runtime.openPool(),
  priceTable: (_, { prices }) => priceTableOf(prices),
  callPricing: ({ priceTable, readingPool }) => new CallPricing(priceTable, readingPool),
  traceOrders: ({ readingPool }) => new TraceOrders(readingPool),
  analysisReader: ({ readingPool, traceOrders, callPricing }) =>
    new AnalysisReader(readingPool, { orders: traceOrders, pricing: callPricing }),
  cachedEdits: () => NO_CACHED_EDITS,
  clock: () => SYSTEM_CLOCK,
  sessionStore(_, { sessionStore }) {
    if (sessionStore !== undefined) return sessionStore;
    throw new AgentAppConfigurationError("There is no SessionStore: give one as `sessionStore`.");
  },
  recorder: ({ sessionStore, clock }) => new SessionRecorder(sessionStore, { clock }),
  filteredSessions: ({ callPricing, analysisReader }) =>
    new FilteredSessions(new PricedSessions(callPricing), new SessionFactsReader(analysisReader)),
  listSessions: ({ dataSource, callPricing, filteredSessions }) =>
    new ListSessions(dataSource, callPricing, filteredSessions),
  getSessionTrace: ({ dataSource, readingPool, traceOrders }) =>
    new GetSessionTrace(dataSource, readingPool, traceOrders),
  getSessionOrchestration: ({ dataSource }) => new GetSessionOrchestration(dataSource),
  getSessionMessages: ({ dataSource }) => new GetSessionMessages(dataSource),
  summarizeSession: ({ dataSource, analysisReader }) => new SummarizeSession(dataSource, analysisReader),
  compareSessions: ({ dataSource, analysisReader }) => new CompareSessions(dataSource, analysisReader),
  getCallContext: ({ dataSource, readingPool, traceOrders }) =>
    new GetCallContext(dataSource, readingPool, traceOrders),
  getMessageProvenance: ({ dataSource, readingPool, traceOrders }) =>
    new GetMessageProvenance(dataSource, readingPool, traceOrders),
  exportSession: (
    { dataSource, readingPool, priceTable, callPricing, clock },
    { runtime: { exporting }, redactionRules },
  ) =>
    new ExportSession(dataSource, {
      writers: exporting.writers(callPricing),
      redaction: exporting.redaction(readingPool, redactionRules),
      partNamed,
      get writer() {
        return exporting.writer;
      },
      now: () => clock.now(),
      prices: priceTable.source === undefined ? false : priceTable.inThreads?.table,
    }),
  reviewExport: ({ exportSession }) => new ReviewExport(exportSession),
  explainLines: ({ dataSource, readingPool, traceOrders, filteredSessions, cachedEdits }) =>
    new ExplainLines(dataSource, readingPool, traceOrders, filteredSessions, cachedEdits),
  searchRecords: ({ dataSource, readingPool, traceOrders, filteredSessions }) =>
    new SearchRecords(dataSource, readingPool, { orders: traceOrders, filtered: filteredSessions }),
  searchSessions: ({ dataSource, readingPool, traceOrders, filteredSessions }) =>
    new SearchSessions(dataSource, readingPool, { orders: traceOrders, filtered: filteredSessions }),
  getOverview: ({ dataSource, callPricing, filteredSessions }) =>
    new GetOverview(dataSource, { pricing: callPricing, filtered: filteredSessions }),
  listSources: ({ dataSource }) => new ListSources(dataSource),
  describeModel: ({ callPricing }) => new DescribeModel(callPricing),
  checkHealth: () => new CheckHealth(),
};

const NAMES = Object.keys(FACTORIES) as (keyof InspectorParts)[];

/**
 * Names of the parts in a container of `createInspectorContainer`. A part registered under its token replaces the original in every later
 * resolution.
 */
export const TOKENS = Object.fromEntries(
  NAMES.map((name) => [name, Symbol(`agent-inspector:${name}`)]),
) as object as { readonly [Name in keyof InspectorParts]: InjectionToken<InspectorParts[Name]> };

export function containerWith(
  source: InspectorDataSource,
  options: InspectorContainerOptions,
  runtime: InspectorRuntime,
): DependencyContainer {
  const error = DATA_SOURCE("source", source);
  if (error !== undefined) throw new AgentAppConfigurationError(error.message);
  const { redactionRules, ...settings } = checkOptions(
    CONTAINER_OPTIONS,
    options,
    AgentAppConfigurationError,
  );
  // A copy of the rules: the host cannot change what is removed from exports.
  const rules = redactionRules?.map((rule) => ({ ...rule }));
  const input = { ...settings, redactionRules: rules, source, runtime };
  const child = container.createChildContainer();
  for (const name of NAMES) {
    const make = (parts: DependencyContainer) => FACTORIES[name](partsOf(parts), input);
    child.register<unknown>(TOKENS[name], { useFactory: instanceCachingFactory(make) });
  }
  child.resolve(TOKENS.priceTable);
  return child;
}

/** Registered values replace parts. Any other name is `undefined`, because awaiting the parts reads `then`. */
function partsOf(container: DependencyContainer): InspectorParts {
  const get = (_: object, name: string) =>
    name in TOKENS ? container.resolve<unknown>(TOKENS[name as keyof InspectorParts]) : undefined;
  return new Proxy({}, { get }) as InspectorParts;
}

export const useCasesOf: (container: DependencyContainer) => InspectorUseCases = partsOf;
