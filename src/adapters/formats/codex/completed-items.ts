import { type JsonObject, textField } from "../../../domain/json/json.js";
import { textIn, textsIn } from "../../transcripts/recorder/parts.js";
import { type CodexPart, compactionPart, promptParts, textPart, thinkingPart } from "./part-kinds.js";
import * as tools from "./tools.js";

const TWINS = /^(Plan|HookPrompt|WebSearch|FunctionCallOutput)$/;

/** Items of calls. An item without a call in the conversation passes through, as in a program of code mode. */
const RAN =
  /^(CommandExecution|FileChange|McpToolCall|DynamicToolCall|CollabAgentToolCall|ImageView|ImageGeneration|Extension)$/;

const OWN = /^(UserMessage|AgentMessage|Reasoning|SubAgentActivity|ContextCompaction)$/;

export function isRecordedItem(type: string): boolean {
  return TWINS.test(type) || RAN.test(type) || OWN.test(type);
}

/**
 * `item_completed` replaces the earlier events in paginated threads (since 0.145). The model's input and output are in separate records.
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
      const visible = thoughts.length > 0 ? thoughts : textsIn(item.raw_content);
      if (visible.length === 0) return [{ is: "twin" }];
      return visible.map((text, block) => thinkingPart("event", text, block));
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
