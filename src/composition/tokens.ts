import type { InjectionToken } from "tsyringe";
import type { CallPricing } from "../application/explain/call-pricing.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { PriceTable } from "../application/ports/price-table.js";
import type { ReadingPool } from "../application/ports/reading-pool.js";
import type { SessionStore } from "../application/ports/session-store.js";
import type { InspectorUseCases } from "../application/questions/endpoints.js";
import type { RecorderClock } from "../application/recording/recording.js";
import type { SessionRecorder } from "../application/recording/session-recorder.js";

/**
 * The parts of an inspector, by name: what a container of `createInspectorContainer` holds. A part that is registered again
 * under its token takes the place of the first, for whatever is resolved after that.
 */
export const TOKENS = {
  dataSource: token<InspectorDataSource>("InspectorDataSource"),
  /** Where long computations run. */
  readingPool: token<ReadingPool>("ReadingPool"),
  /** What models cost. */
  priceTable: token<PriceTable>("PriceTable"),
  /** Looks calls up in it, where that does not stop the host. */
  callPricing: token<CallPricing>("CallPricing"),
  /** Where the recorder takes instants and ids from. */
  clock: token<RecorderClock>("RecorderClock"),
  /** Where the recorder writes. Resolves only where a store was given or registered. */
  sessionStore: token<SessionStore>("SessionStore"),
  /** Resolves only where there is a session store. */
  recorder: token<SessionRecorder>("SessionRecorder"),
  listSessions: token<InspectorUseCases["listSessions"]>("ListSessions"),
  getSessionTrace: token<InspectorUseCases["getSessionTrace"]>("GetSessionTrace"),
  getSessionOrchestration: token<InspectorUseCases["getSessionOrchestration"]>("GetSessionOrchestration"),
  getSessionMessages: token<InspectorUseCases["getSessionMessages"]>("GetSessionMessages"),
  summarizeSession: token<InspectorUseCases["summarizeSession"]>("SummarizeSession"),
  compareSessions: token<InspectorUseCases["compareSessions"]>("CompareSessions"),
  getCallContext: token<InspectorUseCases["getCallContext"]>("GetCallContext"),
  getMessageProvenance: token<InspectorUseCases["getMessageProvenance"]>("GetMessageProvenance"),
  searchRecords: token<InspectorUseCases["searchRecords"]>("SearchRecords"),
  checkHealth: token<InspectorUseCases["checkHealth"]>("CheckHealth"),
} as const;

function token<T>(name: string): InjectionToken<T> {
  return Symbol(`agent-inspector:${name}`);
}
