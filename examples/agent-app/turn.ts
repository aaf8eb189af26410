import type { RecordedSession, TokenUsage } from "agent-inspector";
import { generateText, type ModelMessage, stepCountIs } from "ai";
import { compactConversation } from "./compaction.js";
import type { Conversation } from "./conversations.js";
import { fileTools } from "./file-tools.js";
import type { Folder } from "./folder.js";
import type { Model } from "./model.js";
import { messageOf, Recording } from "./recording.js";
import { SubAgents } from "./sub-agents.js";

export interface TurnOptions {
  readonly model: Model;
  readonly folder: Folder;
  /** Tokens of a conversation before its compaction. */
  readonly contextTokens: number;
}

const SYSTEM =
  "You answer questions about a folder of files. Use the tools instead of guessing; hand larger questions to sub-agents.";

/** Records the user's message, the loop of model and tools, and the answer. */
export async function runTurn(
  session: RecordedSession,
  conversation: Conversation,
  message: string,
  { model, folder, contextTokens }: TurnOptions,
): Promise<string> {
  const recording = new Recording(session);
  const subAgents = new SubAgents(recording, model, folder);
  const turnIndex = session.turns;
  const append = async (messages: readonly ModelMessage[]) => {
    conversation.messages.push(...messages);
    await session.appendMessages(messages);
  };

  if (turnIndex === 0) await recording.record({ type: "session.start", model: model.modelId });
  await recording.record({ type: "turn.start", turnIndex, input: message });
  try {
    if (conversation.tokens > contextTokens) {
      const { messages, tokens } = conversation;
      conversation.messages = await compactConversation(recording, model, messages, tokens);
    }
    await append([{ role: "user", content: message }]);
    let appended = 0;
    const result = await generateText({
      model: recording.model(model),
      system: SYSTEM,
      messages: [...conversation.messages],
      tools: recording.tools({ ...fileTools(folder), delegate: subAgents.tool() }),
      stopWhen: stepCountIs(12),
      // After each step rather than at the end, so that a failed turn retains its messages.
      onStepFinish: async ({ response }) => {
        await append(response.messages.slice(appended));
        appended = response.messages.length;
      },
    });
    conversation.tokens = result.usage.totalTokens ?? 0;
    await recording.record({ type: "turn.end", turnIndex, outcome: "completed" });
    return result.text;
  } catch (error) {
    await recording.record({ type: "error", error: { message: messageOf(error) } });
    await recording.record({ type: "turn.end", turnIndex, outcome: "failed", error: messageOf(error) });
    throw error;
  } finally {
    await subAgents.end();
    const recordings = [recording, ...subAgents.recordings];
    await session.recordTurn(sum(recordings.flatMap(({ spent }) => spent)));
  }
}

function sum(usages: readonly TokenUsage[]): TokenUsage {
  const total = (key: "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens") =>
    usages.reduce((tokens, usage) => tokens + usage[key], 0);
  return {
    inputTokens: total("inputTokens"),
    outputTokens: total("outputTokens"),
    cacheReadTokens: total("cacheReadTokens"),
    cacheWriteTokens: total("cacheWriteTokens"),
  };
}
