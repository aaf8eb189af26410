import { useEffect, useState } from "react";
import type { SourcesRead } from "../engine/sources/read-sources.js";
import { engine } from "./engine.js";
import { useAnswer } from "./use-answer.js";

const SOON_MS = 500;
const LATER_MS = 60_000;
const SELDOM_MS = 600_000;

export interface SourcesState {
  readonly read: SourcesRead | undefined;
  retry(): void;
}

interface UseSources {
  readonly isWanted?: boolean;
  readonly only?: "due";
}

/**
 * Requests again while the page is visible.
 * @param isWanted default is true
 * @param only `"due"` for sources whose tool deletes sessions, requested seldom. Default is all, requested often until everything is read
 */
export function useSources({ isWanted = true, only }: UseSources = {}): SourcesState {
  const [requests, setRequests] = useState(0);
  const retry = () => setRequests((count) => count + 1);
  const answer = useAnswer(
    () => (isWanted ? engine.call("sources", only).then((read) => ({ requests, read })) : undefined),
    [requests, isWanted, only],
  );
  const read = answer?.read;
  const isPartial =
    read !== undefined &&
    "sources" in read &&
    read.sources.some(({ isComplete, failure }) => !isComplete && failure === undefined);
  const wait = only === "due" ? SELDOM_MS : isPartial ? SOON_MS : LATER_MS;
  const answered = answer?.requests;
  useEffect(() => {
    if (answered === undefined) return;
    const timer = setTimeout(function again() {
      if (document.hidden) document.addEventListener("visibilitychange", again, { once: true });
      else setRequests((count) => count + 1);
    }, wait);
    return () => clearTimeout(timer);
  }, [answered, wait]);
  return { read, retry };
}
