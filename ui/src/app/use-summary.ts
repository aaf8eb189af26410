import { useEffect, useRef, useState } from "react";
import type { SummaryState } from "../engine/summary-store.js";
import { engine } from "./engine.js";

/** A summary takes all records of a session: one that goes on is asked for again after so long at the earliest. */
const LEAST_MS = 10_000;

/**
 * The summary of the session that is open.
 *
 * @param events how many it has: where that changes, the summary is read again
 * @returns no state until it has been read; `retry` reads it again at once
 */
export function useSummary(events: number): { readonly state: SummaryState | undefined; retry(): void } {
  const [state, setState] = useState<SummaryState>();
  const [attempt, setAttempt] = useState(0);
  const due = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new events and a new attempt are why it is read again
  useEffect(() => {
    // What was asked for before there was more is shown all the same.
    const read = async () => {
      due.current = performance.now() + LEAST_MS;
      setState(await engine.call("sessionSummary"));
    };
    const timer = setTimeout(read, Math.max(0, due.current - performance.now()));
    return () => clearTimeout(timer);
  }, [events, attempt]);
  const retry = () => {
    due.current = 0;
    setAttempt(attempt + 1);
  };
  return { state, retry };
}
