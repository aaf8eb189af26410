import { type JsonObject, textField } from "../../../domain/json/json.js";
import { textIn, textsIn } from "../../transcripts/parts.js";
import { type CodexPart, compactionPart, promptParts, textPart, thinkingPart } from "./part-kinds.js";
import * as tools from "./tools.js";

/** Items that say again what another record of the conversation does. */
const TWINS = /^(Plan|HookPrompt|WebSearch|FunctionCallOutput)$/;

/** Items of calls that ran. One that belongs to no call of the conversation, as in a program of code mode, passes through. */
const RAN =
  /^(CommandExecution|FileChange|McpToolCall|DynamicToolCall|CollabAgentToolCall|ImageView|ImageGeneration|Extension)$/;

/** Items that say what they say in parts of their own, or say nothing that is shown. */
const OWN = /^(UserMessage|AgentMessage|Reasoning|SubAgentActivity|ContextCompaction)$/;

/** Whether the type of an item is known. */
export function isRecordedItem(type: string): boolean {
  return TWINS.test(type) || RAN.test(type) || OWN.test(type);
}

/**
 * The parts of `item_completed`, which paginated threads (since 0.145) hold in the place of the events of before. What the model was
 * given and said is in the records beside it.
 */
export function completedParts(item: JsonObject, line: number): readonly CodexPart[] {
  const type = textField(item, "type") ?? "";
  switch (type) {
    case "UserMessage":
      return promptParts(item, "user_message", "event", textIn(item.content), false);
    case "AgentMessage":
      return [
        textPart(
          { ...item, content: undefined, message: textIn(item.content) },
          type,
          "event",
          textIn(item.content),
        ),
      ];
    case "Reasoning": {
      const thoughts = textsIn(item.summary_text);
      const shown = thoughts.length > 0 ? thoughts : textsIn(item.raw_content);
      if (shown.length === 0) return [{ is: "twin" }];
      return shown.map((text, block) => thinkingPart("event", text, block));
    }
    case "SubAgentActivity":
      return item.kind === "started" ? [spawnedBy(item, item.agent_thread_id)] : [];
    case "ContextCompaction":
      return [compactionPart(item, "event")];
  }
  if (type === "CollabAgentToolCall" && item.tool === "spawn_agent") {
    const [child] = Array.isArray(item.receiver_thread_ids) ? item.receiver_thread_ids : [];
    return [spawnedBy(item, child)];
  }
  if (TWINS.test(type)) return [{ is: "twin" }];
  if (!RAN.test(type)) return [];
  // A command without an output has an empty one.
  const output = type === "CommandExecution" ? { aggregated_output: item.aggregated_output ?? "" } : {};
  return [tools.resultPart({ ...item, ...output, call_id: item.id }, "event", line)];
}

function spawnedBy({ id }: JsonObject, child: unknown): CodexPart {
  return {
    is: "spawn",
    agentId: typeof child === "string" ? child : "",
    toolCallId: typeof id === "string" ? id : "",
  };
}
