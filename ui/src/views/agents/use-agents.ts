import { useCallback, useEffect, useState } from "react";
import { stateOf } from "../../../../src/domain/session/session.js";
import { engine } from "../../app/engine.js";
import type { AgentsViewModel } from "../../engine/agents/agent-protocol.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import type { AgentsQuery } from "../../model/agents/agents-query.js";

/**
 * `undefined` until computed; requested again when the session grows. Until an answer, returns the previous view, with `current` false,
 * and `isOfQuery` false for another query.
 */
export function useAgents(query: AgentsQuery, session: SessionState) {
  const [view, setView] = useState<AgentsViewModel>();
  const [answered, setAnswered] = useState({ key: "", requestKey: "" });
  const take = useCallback(
    (answer: AgentsViewModel) =>
      setView((current) => (current === undefined || answer.version >= current.version ? answer : current)),
    [],
  );
  const { traceVersion, loading, item, agents, cost } = session;
  const queryKey = JSON.stringify(query);
  const key = JSON.stringify([
    queryKey,
    traceVersion,
    loading,
    item && stateOf(item).kind,
    agents.length,
    cost,
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the query, and with what there is to answer
  useEffect(() => {
    let isOutdated = false;
    void engine.call("agentsView", query).then((answer) => {
      if (isOutdated) return;
      take(answer);
      setAnswered({ key, requestKey: queryKey });
    });
    return () => {
      isOutdated = true;
    };
  }, [key, take]);
  const toggle = useCallback((id: string) => engine.call("agentsToggle", id).then(take), [take]);
  const foldAll = useCallback((fold: boolean) => engine.call("agentsFoldAll", fold).then(take), [take]);
  const locate = useCallback(
    async (id: string) => {
      const { view: answer, index } = await engine.call("agentsLocate", id);
      take(answer);
      return index;
    },
    [take],
  );
  const isOfQuery = answered.requestKey === queryKey;
  return { view, current: answered.key === key, isOfQuery, toggle, foldAll, locate };
}
