import { useEffect, useState } from "react";
import { engine } from "../../app/engine.js";

/**
 * What an agent was asked last; `""` where that is not recorded.
 *
 * @param version increases when the trace has changed: the event that says so may have been added
 */
export function useJobPrompt(agentId: string, version: number): string {
  const [prompt, setPrompt] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may know more
  useEffect(() => {
    let stale = false;
    engine.call("agentPrompt", agentId).then((known) => {
      if (!stale) setPrompt(known);
    });
    return () => {
      stale = true;
    };
  }, [agentId, version]);
  return prompt;
}
