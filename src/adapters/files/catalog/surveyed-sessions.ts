import type { SurveyedSession } from "../../../application/ports/source-survey.js";
import { sessionFault } from "../bytes/line.js";
import type { CataloguedSession } from "./catalogued-session.js";

/** @param bytesOf returns the stored size of a session */
export function* surveyedSessions(
  sessions: readonly CataloguedSession[],
  bytesOf: (session: CataloguedSession) => number | undefined,
): Generator<SurveyedSession, void> {
  for (const session of sessions) {
    const { tenantId, sessionId, estimate, fault } = session;
    yield {
      tenantId,
      sessionId,
      isUnread: !session.isRead,
      bytes: bytesOf(session),
      newest: estimate,
      problems: fault === undefined ? [] : [{ reason: sessionFault(fault), count: 1 }],
    };
  }
}
