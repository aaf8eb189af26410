import { type JsonObject, objectField, textField } from "../json/json.js";

/**
 * Returns the message of a GitHub Copilot CLI record; `undefined` for any other record. Its records are events without a role. Source:
 * `schemas/session-events.schema.json` of the package `@github/copilot-sdk`.
 */
export function eventMessage({ type, data }: JsonObject): JsonObject | undefined {
  if (typeof type !== "string" || !type.includes(".")) return undefined;
  const fields = objectField({ data }, "data");
  const { content } = fields;
  switch (type) {
    case "user.message":
      // The model sees the content with the additions of the runtime.
      return { role: "user", content: fields.transformedContent ?? content };
    case "system.message":
    case "system.notification":
    case "skill.context_delivered":
      return { role: "system", content };
    case "assistant.message":
      return {
        role: "assistant",
        id: fields.apiCallId ?? fields.messageId,
        reasoning: fields.reasoningText,
        content: answerBlocks(fields),
      };
    case "tool.execution_complete": {
      const isError = fields.success === false;
      const text = objectField(fields, "result").content ?? objectField(fields, "error").message;
      return { role: "tool", toolCallId: fields.toolCallId, content: text, isError };
    }
    case "session.compaction_complete":
      return { role: "user", compaction: true, content: fields.summaryContent };
    default:
      return undefined;
  }
}

function answerBlocks(answer: JsonObject): readonly unknown[] {
  const text = textField(answer, "content");
  const requests = Array.isArray(answer.toolRequests) ? answer.toolRequests : [];
  const calls = requests.map((request) =>
    typeof request === "object" && request !== null ? { ...request, type: "tool_call" } : request,
  );
  return text === undefined ? calls : [{ type: "text", text }, ...calls];
}
