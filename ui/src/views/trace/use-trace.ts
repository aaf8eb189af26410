import { useCallback, useEffect, useState } from "react";
import { engine } from "../../app/engine.js";
import type { TraceView } from "../../engine/trace-protocol.js";
import { traceQuery, traceQueryKey } from "../../engine/trace-query.js";
import type { Query } from "../../model/address.js";

/**
 * The trace as the engine draws it for this query. What was drawn before stands until it is there, and is not `current`.
 *
 * @param told what the engine drew when it last had news: for the query that it was last asked
 */
export function useTrace(query: Query, told: TraceView) {
  const [answered, setAnswered] = useState(told);
  const view = newest(answered, told);
  const question = traceQuery(query);
  const key = traceQueryKey(question);
  const current = view.of === key;
  const take = useCallback((drawn: TraceView) => setAnswered((known) => newest(known, drawn)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the question asks
  useEffect(() => {
    if (!current) void engine.call("traceView", question).then(take);
  }, [key, current, take]);

  const toggle = useCallback((id: string) => engine.call("traceToggle", id).then(take), [take]);
  const foldAll = useCallback((fold: boolean) => engine.call("traceFoldAll", fold).then(take), [take]);
  const locate = useCallback(
    async (id: string) => {
      const { view: drawn, index } = await engine.call("traceLocate", id);
      take(drawn);
      return index;
    },
    [take],
  );
  return { view, current, toggle, foldAll, locate };
}

function newest(one: TraceView, other: TraceView): TraceView {
  return other.version > one.version ? other : one;
}
