import type { SessionFacts } from "../../../domain/facts/session-facts.js";
import type { ExtraWork } from "../bytes/reading-budget.js";
import type { CataloguedSession } from "./catalogued-session.js";

/** Reads what sessions did. It costs more room than their summaries, so that it is read and kept for those alone of which it is asked. */
export interface FactsStrategy<Session extends CataloguedSession> {
  /** The facts that are cached, `null` for others; `undefined` where there are none of any. */
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
