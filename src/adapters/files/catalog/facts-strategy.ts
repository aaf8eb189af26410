import type { SessionFacts } from "../../../domain/facts/session-facts.js";
import type { ExtraWork } from "../bytes/reading-budget.js";
import type { CataloguedSession } from "./catalogued-session.js";

/** Activity needs more room than summaries, so it is read and cached only on request. */
export interface FactsStrategy<Session extends CataloguedSession> {
  /** `null` for facts that are not cached; `undefined` if no session has any. */
  recall(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
  ): Promise<readonly (SessionFacts | null)[] | undefined>;
  /** One reading provides facts and summaries. */
  read(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
    ofList: ExtraWork,
  ): Promise<readonly { readonly summary: Session["summary"]; readonly facts: SessionFacts | null }[]>;
}
