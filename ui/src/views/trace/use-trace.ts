import { useCallback, useEffect, useState } from "react";
import { engine } from "../../app/engine.js";
import type { TraceView } from "../../engine/trace-protocol.js";
import type { Query } from "../../model/address.js";

/** What of the query changes which rows there are; the selection does not. */
const ASKED = ["q", "kind", "tool", "agent", "errors", "from", "to"];

/** The trace as the engine draws it for this query; what was drawn before stands until it is there, and is not `current`. */
export function useTrace(query: Query, traceVersion: number) {
  const [view, setView] = useState<TraceView>();
  const [answered, setAnswered] = useState<string>();
  const asList = query.order === "list";
  const foldGaps = query.gaps !== "show";
  const asked = JSON.stringify(
    Object.fromEntries(Object.entries(query).filter(([name]) => ASKED.includes(name))),
  );
  const question = JSON.stringify([asked, asList, foldGaps, traceVersion]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace has grown
  useEffect(() => {
    let stale = false;
    engine.call("traceView", { query: JSON.parse(asked), asList, foldGaps }).then((drawn) => {
      if (stale) return;
      setView(drawn);
      setAnswered(question);
    });
    return () => {
      stale = true;
    };
  }, [question]);

  const toggle = useCallback((id: string) => engine.call("traceToggle", id).then(setView), []);
  const foldAll = useCallback((fold: boolean) => engine.call("traceFoldAll", fold).then(setView), []);
  const locate = useCallback(async (id: string) => {
    const { view: drawn, index } = await engine.call("traceLocate", id);
    setView((known) => (known?.version === drawn.version ? known : drawn));
    return index;
  }, []);
  return { view, version: view?.version, current: answered === question, toggle, foldAll, locate };
}
