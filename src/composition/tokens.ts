import type { InjectionToken } from "tsyringe";
import type { CheckHealth } from "../application/check-health.js";
import type { GetSessionMessages } from "../application/get-session-messages.js";
import type { GetSessionOrchestration } from "../application/get-session-orchestration.js";
import type { GetSessionTrace } from "../application/get-session-trace.js";
import type { ListSessions } from "../application/list-sessions.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";

/**
 * What a container of {@link createInspectorContainer} knows, by name. Registering another value for a token before the
 * route is resolved replaces that part.
 */
export const TOKENS = {
  dataSource: token<InspectorDataSource>("InspectorDataSource"),
  listSessions: token<ListSessions>("ListSessions"),
  getSessionTrace: token<GetSessionTrace>("GetSessionTrace"),
  getSessionOrchestration: token<GetSessionOrchestration>("GetSessionOrchestration"),
  getSessionMessages: token<GetSessionMessages>("GetSessionMessages"),
  checkHealth: token<CheckHealth>("CheckHealth"),
} as const;

function token<T>(name: string): InjectionToken<T> {
  return Symbol(`agent-inspector:${name}`);
}
