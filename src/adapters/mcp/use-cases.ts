import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import type { UnchangedList } from "../../application/questions/json-list.js";

/** What the tools are a face of. */
export type McpUseCases = Pick<
  InspectorUseCases,
  | "listSessions"
  | "searchRecords"
  | "getSessionTrace"
  | "getSessionMessages"
  | "getCallContext"
  | "getMessageProvenance"
  | "summarizeSession"
>;

/** An answer to a caller that has none yet. */
export function changed<T extends { readonly isUnchanged: false }>(answer: T | UnchangedList): T {
  if (answer.isUnchanged)
    throw new TypeError("A use case says that nothing changed to a caller that has nothing.");
  return answer;
}
