import type { InspectorDataSource } from "../../src/index.js";
import type { RecordedSession, SessionRecorder } from "../../src/recording.js";

/** As a chat application does: it opens the session again in each request. */
export async function recordChatTurn(
  recorder: SessionRecorder,
  sessionId: string,
  turn: number,
): Promise<void> {
  const session: RecordedSession = await recorder.open({ tenantId: "acme", sessionId, userId: "ada" });
  const trace = session.startTrace();
  await trace.record({ type: "turn.start", turnIndex: session.turns, input: `question ${turn}` });
  await session.appendMessages([{ role: "user", content: `question ${turn}` }]);
  await trace.record({ type: "llm.start", callId: "c", model: "gpt-4o" });
  await trace.record({ type: "llm.end", callId: "c", usage: { inputTokens: 10, outputTokens: 1 } });
  await session.appendMessages([{ role: "assistant", content: `answer ${turn}` }]);
  await trace.record({ type: "turn.end", turnIndex: session.turns, outcome: "completed" });
  await session.recordTurn();
}

export function expectedOf(turns: number) {
  const each = Array.from({ length: turns }, (_, i) => i);
  return {
    turns,
    tokens: turns * 11,
    messages: each.flatMap((turn) => [`question ${turn}`, `answer ${turn}`]),
    events: turns * 4,
  };
}

export async function storedOf(source: InspectorDataSource, sessionId: string) {
  const listed = (await source.listSessions()).find((one) => one.sessionId === sessionId);
  const messages = (await source.loadMessages("acme", sessionId)).map(({ content }) => content);
  const events = await source.loadTraceEnvelopes("acme", sessionId);
  return { turns: listed?.turns, tokens: listed?.tokens, messages, events: events.length };
}
