import type { TranscriptCall } from "./calls.js";
import { agentsWithLines, type SessionFile } from "./derived-file.js";

/** `agentId` is `""` for the session's own conversation. */
export interface SessionCall {
  readonly call: TranscriptCall;
  readonly agentId: string;
}

/** Counts each API message once, although files repeat it. */
export function callsOfSession(files: readonly SessionFile[]): readonly SessionCall[] {
  const withLines = agentsWithLines(files);
  const seen = new Map<string, SessionCall>();
  for (const { derived, name } of files) {
    for (const call of derived.calls) {
      const { callId, hasMessageId, conversation, usage } = call;
      const { isProgress, agentId } = derived.conversations[conversation]!;
      if (isProgress && withLines.has(agentId)) continue;
      const key = hasMessageId ? callId : `${name} ${callId}`;
      const known = seen.get(key)?.call;
      if (known === undefined || usage.outputTokens > known.usage.outputTokens)
        seen.set(key, { call, agentId });
    }
  }
  return [...seen.values()];
}
