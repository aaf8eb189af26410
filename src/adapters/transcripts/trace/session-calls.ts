import type { TranscriptCall } from "../recorder/calls.js";
import { agentsWithLines, type SessionFile } from "./derived-file.js";

/** `agentId` is `""` for the session's own conversation. */
export interface SessionCall {
  readonly call: TranscriptCall;
  readonly agentId: string;
}

/** Counts each API message once, although files repeat it. */
export function callsOfSession(files: readonly SessionFile[]): readonly SessionCall[] {
  const withLines = agentsWithLines(files);
  const calls = new Map<string, SessionCall>();
  for (const { derived, name } of files) {
    for (const call of derived.calls) {
      const { callId, hasMessageId, conversation, usage } = call;
      const { isProgress, agentId } = derived.conversations[conversation]!;
      if (isProgress && withLines.has(agentId)) continue;
      const key = hasMessageId ? callId : `${name} ${callId}`;
      const existing = calls.get(key)?.call;
      if (existing === undefined || usage.outputTokens > existing.usage.outputTokens)
        calls.set(key, { call, agentId });
    }
  }
  return [...calls.values()];
}
