import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";

/**
 * What an agent was asked last; `""` where that is not recorded.
 *
 * @param version increases when the trace has changed: the event that says so may have been added
 */
export function useJobPrompt(agentId: string, version: number): string {
  return useAnswer(() => engine.call("agentPrompt", agentId), [agentId, version]) ?? "";
}
