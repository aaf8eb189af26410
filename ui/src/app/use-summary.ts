import { useEffect, useRef, useState } from "react";
import type { SummaryState } from "../engine/summary-store.js";
import { engine } from "./engine.js";

/** A summary takes all records of a session: one that goes on is asked for again after so long at the earliest. */
const LEAST_MS = 10_000;

/**
 * The summary of the session that is open.
 *
 * @param events how many it has: where that changes, the summary is read again
 * @returns `undefined` until it has been read
 */
export function useSummary(events: number): SummaryState | undefined {
  const [state, setState] = useState<SummaryState>();
  const due = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new events are why it is read again
  useEffect(() => {
    let isLeft = false;
    const timer = setTimeout(
      async () => {
        due.current = performance.now() + LEAST_MS;
        const next = await engine.call("sessionSummary");
        if (!isLeft) setState(next);
      },
      Math.max(0, due.current - performance.now()),
    );
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [events]);
  return state;
}
