import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import type { SessionState } from "../../engine/trace-protocol.js";

/**
 * What an agent was asked last; `""` where that is not recorded, and `undefined` as long as it may be in what has still to be read.
 *
 * @param session of which a component shows one agent alone
 */
export function useJobPrompt(agentId: string, { traceVersion, loading }: SessionState): string | undefined {
  const answer = useAnswer(
    async () => ({ loading, prompt: await engine.call("agentPrompt", agentId) }),
    [agentId, traceVersion, loading],
  );
  return answer?.prompt === "" && answer.loading ? undefined : answer?.prompt;
}
