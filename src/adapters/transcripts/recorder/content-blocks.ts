import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import { type CommonPart, failureOf, promptPart, type ToolOutcome, textIn } from "./parts.js";

/**
 * Parts of a message in content blocks of Anthropic's API: `text`, `thinking`, `tool_use`, `tool_result`. A user's texts are one prompt;
 * next to results they are the tool's additions.
 * @param format prefix of the type of unrecognised blocks
 * @param outcomeOf the outcome of a result without `is_error`
 */
export function blockParts(
  { role, content }: JsonObject,
  line: number,
  format: string,
  outcomeOf: (block: JsonObject) => ToolOutcome = ({ is_error: isError }) =>
    isError === true ? "failed" : "completed",
): readonly CommonPart[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return [];
  const isPrompt =
    role === "user" && !blocks.some((block) => isJsonObject(block) && block.type === "tool_result");
  if (isPrompt) return [promptPart(textIn(blocks), () => content)];
  return blocks.map((block, at) => blockPart(block, { at, line, format, role, outcomeOf }));
}

interface BlockPlace {
  readonly at: number;
  readonly line: number;
  readonly format: string;
  readonly role: unknown;
  readonly outcomeOf: (block: JsonObject) => ToolOutcome;
}

function blockPart(block: unknown, { at, line, format, role, outcomeOf }: BlockPlace): CommonPart {
  if (!isJsonObject(block))
    return { is: "block", block: at, event: () => ({ type: `${format}.block`, value: block }) };
  const toolCallId = textField(block, "id") ?? textField(block, "tool_use_id") ?? `line ${line}#${at}`;
  switch (block.type) {
    case "text": {
      const event = () => ({ ...block, ...(role === "user" ? { role } : {}) });
      return { is: "text", block: at, text: textField(block, "text"), event: event as () => JsonObject };
    }
    case "thinking":
      return { is: "block", block: at, event: () => block };
    case "tool_use": {
      const { type: _, id: __, name, input, ...rest } = block;
      const toolName = typeof name === "string" ? name : "unknown";
      const event = () => ({ ...rest, type: "tool.start", toolCallId, toolName, input });
      return { is: "call", block: at, toolCallId, toolName, event };
    }
    case "tool_result": {
      const { type: _, tool_use_id: __, content: output, is_error: ___, ...rest } = block;
      const outcome = outcomeOf(block);
      const ended = { output, ...failureOf(outcome) };
      return {
        is: "result",
        block: at,
        toolCallId,
        event: () => ({ ...rest, type: "tool.end", toolCallId, toolName: undefined, ...ended }),
        end: () => ({ outcome, isLaunch: false }),
        result: () => ({ text: textIn(output) }),
      };
    }
    default:
      return { is: "block", block: at, event: () => ({ ...block, type: `${format}.${String(block.type)}` }) };
  }
}
