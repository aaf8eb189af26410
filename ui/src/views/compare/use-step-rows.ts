import { useCallback, useEffect, useRef, useState } from "react";
import type { StepRow } from "../../../../src/domain/compare/step-comparison.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { engine } from "../../app/engine.js";
import { STEP_ROWS } from "../../model/compare/step-lines.js";

/** Reads a page when one of its rows becomes visible. */
export function useStepRows(one: SessionKey, other: SessionKey, first: readonly StepRow[]) {
  const pages = useRef(new Map<number, readonly StepRow[] | undefined>([[0, first]]));
  const isMounted = useRef(true);
  const [, redraw] = useState(0);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another pair is another table
  const want = useCallback((row: number) => {
    const page = Math.floor(row / STEP_ROWS);
    if (pages.current.has(page)) return;
    pages.current.set(page, undefined);
    engine.call("stepRows", refOf(one), refOf(other), page).then((rows) => {
      pages.current.set(page, rows);
      if (isMounted.current) redraw((n) => n + 1);
    });
  }, []);
  const rowAt = (row: number) => pages.current.get(Math.floor(row / STEP_ROWS))?.[row % STEP_ROWS];
  return { want, rowAt };
}

function refOf({ tenantId, sessionId }: SessionKey): SessionKey {
  return { tenantId, sessionId };
}
