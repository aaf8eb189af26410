import { useState } from "react";
import { keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { engine } from "../../app/engine.js";
import type { SharedPart } from "../../app/share-request.js";
import { useRequested } from "../../app/use-answer.js";
import type { SessionFindings } from "../../engine/share/read-export.js";

export interface Reviewed {
  readonly review: SessionFindings | undefined;
  readonly problem: ApiProblem | undefined;
  readonly retained: ReadonlySet<string>;
  setRetained(retained: ReadonlySet<string>): void;
  again(): void;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Each review begins with everything removed: earlier decisions were about other findings.
 * @param isWanted nothing is read until it is true
 */
export function useReview(
  { tenantId, sessionId }: SessionKey,
  only: SharedPart | undefined,
  isWanted: boolean,
) {
  const key = keyText({ tenantId, sessionId }, only);
  const [looks, setLooks] = useState(0);
  const [retained, setRetained] = useState(NOTHING);
  const [answer, setAnswer] = useState<
    { readonly key: string; readonly looks: number } & Partial<Reviewed>
  >();
  useRequested(
    () => (isWanted ? engine.call("exportReview", { tenantId, sessionId, only }) : undefined),
    (read) => {
      setRetained(NOTHING);
      setAnswer({ key, looks, ...read });
    },
    [key, looks, isWanted],
  );
  const current = answer?.key === key && answer.looks === looks ? answer : undefined;
  const again = () => setLooks(looks + 1);
  return {
    review: current?.review,
    problem: current?.problem,
    retained,
    setRetained,
    again,
  } satisfies Reviewed;
}
