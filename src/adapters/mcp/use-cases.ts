import type { GetCallContext } from "../../application/get-call-context.js";
import type { GetSessionMessages } from "../../application/get-session-messages.js";
import type { GetSessionTrace } from "../../application/get-session-trace.js";
import type { UnchangedList } from "../../application/json-list.js";
import type { ListSessions } from "../../application/list-sessions.js";
import type { SearchRecords } from "../../application/search-records.js";
import type { SummarizeSession } from "../../application/summarize-session.js";

/** What the tools are a face of. */
export interface McpUseCases {
  readonly listSessions: Pick<ListSessions, "execute">;
  readonly searchRecords: Pick<SearchRecords, "execute">;
  readonly getSessionTrace: Pick<GetSessionTrace, "execute">;
  readonly getSessionMessages: Pick<GetSessionMessages, "execute">;
  readonly getCallContext: Pick<GetCallContext, "execute">;
  readonly summarizeSession: Pick<SummarizeSession, "execute">;
}

/** An answer to a caller that has none yet. */
export function changed<T extends { readonly isUnchanged: false }>(answer: T | UnchangedList): T {
  if (answer.isUnchanged)
    throw new TypeError("A use case says that nothing changed to a caller that has nothing.");
  return answer;
}
