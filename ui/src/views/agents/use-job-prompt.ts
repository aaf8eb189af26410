import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";

/**
 * `""` if not recorded, `undefined` while the unread part may contain it.
 * @param session a component displays a single agent of it
 */
export function useJobPrompt(agentId: string, { traceVersion, loading }: SessionState): string | undefined {
  const answer = useAnswer(
    async () => ({ loading, prompt: await engine.call("agentPrompt", agentId) }),
    [agentId, traceVersion, loading],
  );
  return answer?.prompt === "" && answer.loading ? undefined : answer?.prompt;
}
