import { generateText, type ModelMessage } from "ai";
import type { Model } from "./model.js";
import type { Recording } from "./recording.js";

export const SUMMARY_PREFIX = "Summary of the conversation so far: ";

/**
 * Replaces the conversation by the model's summary; the session's archive retains the original.
 * @param tokensBefore the size of the conversation, as the model last reported it
 */
export async function compactConversation(
  recording: Recording,
  model: Model,
  messages: readonly ModelMessage[],
  tokensBefore: number,
): Promise<ModelMessage[]> {
  await recording.record({ type: "compaction.start", trigger: "context_length", tokensBefore });
  const { text, usage } = await generateText({
    model: recording.model(model),
    system: "Sum up the conversation in a few sentences: what was asked, what was found, what is open.",
    messages: [...messages, { role: "user", content: "Sum up." }],
  });
  const shorter: ModelMessage[] = [{ role: "user", content: SUMMARY_PREFIX + text }];
  await recording.session.compactMessages(shorter);
  await recording.record({ type: "compaction.end", tokensBefore, tokensAfter: usage.outputTokens ?? 0 });
  return shorter;
}
