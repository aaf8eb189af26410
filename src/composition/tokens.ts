import type { InjectionToken } from "tsyringe";
import type { CheckHealth } from "../application/check-health.js";
import type { CompareSessions } from "../application/compare-sessions.js";
import type { GetCallContext } from "../application/get-call-context.js";
import type { GetSessionMessages } from "../application/get-session-messages.js";
import type { GetSessionOrchestration } from "../application/get-session-orchestration.js";
import type { GetSessionTrace } from "../application/get-session-trace.js";
import type { ListSessions } from "../application/list-sessions.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { PriceTable } from "../application/ports/price-table.js";
import type { ReadingPool } from "../application/ports/reading-pool.js";
import type { SessionStore } from "../application/ports/session-store.js";
import type { RecorderClock } from "../application/recording.js";
import type { SearchRecords } from "../application/search-records.js";
import type { SessionRecorder } from "../application/session-recorder.js";
import type { SummarizeSession } from "../application/summarize-session.js";

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
  /** Where the recorder takes instants and ids from. */
  clock: token<RecorderClock>("RecorderClock"),
  /** Where the recorder writes. Resolves only where a store was given or registered. */
  sessionStore: token<SessionStore>("SessionStore"),
  /** Resolves only where there is a session store. */
  recorder: token<SessionRecorder>("SessionRecorder"),
  listSessions: token<Pick<ListSessions, "execute">>("ListSessions"),
  getSessionTrace: token<Pick<GetSessionTrace, "execute">>("GetSessionTrace"),
  getSessionOrchestration: token<Pick<GetSessionOrchestration, "execute">>("GetSessionOrchestration"),
  getSessionMessages: token<Pick<GetSessionMessages, "execute">>("GetSessionMessages"),
  summarizeSession: token<Pick<SummarizeSession, "execute">>("SummarizeSession"),
  compareSessions: token<Pick<CompareSessions, "execute">>("CompareSessions"),
  getCallContext: token<Pick<GetCallContext, "execute">>("GetCallContext"),
  searchRecords: token<Pick<SearchRecords, "execute">>("SearchRecords"),
  checkHealth: token<Pick<CheckHealth, "execute">>("CheckHealth"),
} as const;

function token<T>(name: string): InjectionToken<T> {
  return Symbol(`agent-inspector:${name}`);
}
