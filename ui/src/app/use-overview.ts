import { useEffect, useRef, useState } from "react";
import type { Overview } from "../../../src/domain/overview/overview.js";
import type { ApiProblem } from "../api/api-problem.js";
import type { OverviewQuestion } from "../engine/overview/read-overview.js";
import { engine } from "./engine.js";
import { useRequested } from "./use-answer.js";

/** Short while sessions are not read yet, or without an answer. */
const SOON_MS = 1_000;
const LATER_MS = 60_000;

interface OverviewState {
  readonly key: string;
  readonly requests: number;
  /** May answer an earlier request. */
  readonly overview: Overview | undefined;
  readonly problem: ApiProblem | undefined;
}

export interface VisibleOverview {
  /** Stays until the next answer. */
  readonly overview: Overview | undefined;
  readonly problem: ApiProblem | undefined;
  /** `overview` answers an earlier request. */
  readonly isStale: boolean;
  retry(): void;
}

/** Requests again while the page is visible: every second until all sessions are read. */
export function useOverview(query: OverviewQuestion): VisibleOverview {
  const key = JSON.stringify(query);
  const [requests, setRequests] = useState(0);
  const [state, setState] = useState<OverviewState>();
  const latest = useRef(state);
  latest.current = state;
  useRequested(
    () => engine.call("overview", JSON.parse(key) as OverviewQuestion),
    (read) => {
      if (read === undefined) return;
      const overview = "overview" in read ? read.overview : latest.current?.overview;
      setState({ key, requests, overview, problem: "problem" in read ? read.problem : undefined });
    },
    [key, requests],
  );
  const isPartial = state?.problem === undefined && (state?.overview?.coverage.unread ?? 0) > 0;
  const isAway = state?.problem?.kind === "unreachable";
  const wait = isPartial ? SOON_MS : isAway ? SOON_MS * 4 : LATER_MS;
  useEffect(() => {
    if (state === undefined) return;
    const again = () => {
      if (document.hidden) document.addEventListener("visibilitychange", again, { once: true });
      else setRequests((count) => count + 1);
    };
    const timer = setTimeout(again, wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [state, wait]);
  return {
    overview: state?.overview,
    problem: state?.key === key ? state.problem : undefined,
    isStale: state !== undefined && state.key !== key,
    retry: () => setRequests((count) => count + 1),
  };
}
