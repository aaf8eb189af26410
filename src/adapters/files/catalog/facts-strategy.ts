import type { SessionFacts } from "../../../domain/facts/session-facts.js";
import type { ExtraWork } from "../bytes/reading-budget.js";
import type { CataloguedSession } from "./catalogued-session.js";

/** Reads the activity of sessions. It needs more room than their summaries, so it is read and cached only on request. */
export interface FactsStrategy<Session extends CataloguedSession> {
  /** Returns the cached facts, `null` for others; `undefined` if no session has any. */
  recall(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
  ): Promise<readonly (SessionFacts | null)[] | undefined>;
  /** With the summaries, which are made of the same reading. */
  read(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
    ofList: ExtraWork,
  ): Promise<readonly { readonly summary: Session["summary"]; readonly facts: SessionFacts | null }[]>;
}
