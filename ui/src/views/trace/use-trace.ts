import { useCallback, useEffect, useState } from "react";
import { engine } from "../../app/engine.js";
import { type TraceViewModel, traceQuery, traceQueryKey } from "../../engine/trace/trace-protocol.js";
import type { AddressQuery } from "../../model/address/address.js";

/**
 * Until the engine answers, returns the previous view model with `current` false.
 * @param published view model of the engine's latest state, for its query then
 */
export function useTrace(query: AddressQuery, published: TraceViewModel) {
  const [answered, setAnswered] = useState(published);
  const view = newest(answered, published);
  const question = traceQuery(query);
  const key = traceQueryKey(question);
  const current = view.queryKey === key;
  const take = useCallback((answer: TraceViewModel) => setAnswered((current) => newest(current, answer)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the question
  useEffect(() => {
    if (!current) void engine.call("traceView", question).then(take);
  }, [key, current, take]);

  const toggle = useCallback((id: string) => engine.call("traceToggle", id).then(take), [take]);
  const foldAll = useCallback((fold: boolean) => engine.call("traceFoldAll", fold).then(take), [take]);
  const locate = useCallback(
    async (id: string) => {
      const { view: answer, index } = await engine.call("traceLocate", id);
      take(answer);
      return index;
    },
    [take],
  );
  return { view, current, toggle, foldAll, locate };
}

function newest(one: TraceViewModel, other: TraceViewModel): TraceViewModel {
  return other.version > one.version ? other : one;
}
