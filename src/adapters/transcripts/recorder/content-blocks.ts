import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import type { HistoryPart } from "./history-record.js";
import { type ToolOutcome, textIn } from "./parts.js";

/**
 * Parts of a message in content blocks of Anthropic's API: `text`, `thinking`, `tool_use`, `tool_result`. A user's texts are one prompt;
 * next to results they are the tool's additions.
 * @param outcomeOf outcome of a result. Default is `failed` if `is_error` is true
 * @example
 * messageParts({ role: "user", content: "Count the apples." }); // [{ is: "prompt", text: "Count the apples.", … }]
 */
export function messageParts(
  { role, content }: JsonObject,
  outcomeOf: (block: JsonObject) => ToolOutcome = ({ is_error: isError }) =>
    isError === true ? "failed" : "completed",
): readonly HistoryPart[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return [];
  const isPrompt =
    role === "user" && !blocks.some((block) => isJsonObject(block) && block.type === "tool_result");
  if (isPrompt) return [{ is: "prompt", text: textIn(blocks), input: content }];
  return blocks.map((block) => blockPart(block, role, outcomeOf));
}

function blockPart(
  block: unknown,
  role: unknown,
  outcomeOf: (block: JsonObject) => ToolOutcome,
): HistoryPart {
  if (!isJsonObject(block)) return { is: "block", type: "block", more: { value: block } };
  switch (block.type) {
    case "text": {
      const more = role === "user" ? { ...block, role } : block;
      return { is: "text", text: stringIn(block, "text"), more };
    }
    case "thinking":
      return { is: "thinking", text: stringIn(block, "thinking"), more: block };
    case "tool_use": {
      const { type: _, id: __, name, input, ...more } = block;
      return { is: "call", callId: textField(block, "id"), tool: textField({ name }, "name"), input, more };
    }
    case "tool_result": {
      const { type: _, tool_use_id: __, content: output, is_error: ___, ...more } = block;
      return {
        is: "result",
        callId: textField(block, "tool_use_id"),
        output,
        outcome: outcomeOf(block),
        more,
      };
    }
    default:
      return { is: "block", type: String(block.type), more: block };
  }
}

/** Empty texts stay. */
function stringIn(block: JsonObject, member: string): string | undefined {
  const value = block[member];
  return typeof value === "string" ? value : undefined;
}
