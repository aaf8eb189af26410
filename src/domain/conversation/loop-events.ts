import { type JsonObject, objectField, textField } from "../json/json.js";

/**
 * Converts a record of Kimi Code's wire protocol to a message; `undefined` for other records. Its loop writes each thought, text and call
 * of an answer as a separate event, like the items of the Responses API.
 */
export function loopMessage(record: JsonObject): JsonObject | undefined {
  if (record.type === "context.apply_compaction")
    return { role: "user", compaction: true, content: record.contextSummary ?? record.summary };
  if (record.type !== "context.append_loop_event") return undefined;
  const event = objectField(record, "event");
  const part = objectField(event, "part");
  const callId = textField(event, "toolCallId");
  switch (event.type) {
    case "content.part":
      return part.type === "think"
        ? { type: "reasoning", summary: [{ type: "summary_text", text: part.think }] }
        : {
            type: "message",
            role: "assistant",
            content: [{ ...part, type: `output_${textField(part, "type") ?? "text"}` }],
          };
    case "tool.call":
      return { type: "function_call", call_id: callId, name: event.name, arguments: event.args };
    case "tool.result": {
      const { output, isError } = objectField(event, "result");
      return { role: "tool", toolCallId: callId ?? "", content: output, isError };
    }
    default:
      return undefined;
  }
}
