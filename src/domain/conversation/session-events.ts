import { type JsonObject, objectField, textField } from "../json/json.js";

/**
 * The message that a record of GitHub Copilot CLI holds, with the members that other vendors' messages have; `undefined` for any other record. Its
 * records are events with their content in `data`, and none names a role.
 *
 * Source: `schemas/session-events.schema.json` of the package `@github/copilot-sdk`.
 */
export function eventMessage({ type, data }: JsonObject): JsonObject | undefined {
  if (typeof type !== "string" || !type.includes(".")) return undefined;
  const said = objectField({ data }, "data");
  const { content } = said;
  switch (type) {
    case "user.message":
      // With what the runtime put around it: that is what the model sees.
      return { role: "user", content: said.transformedContent ?? content };
    case "system.message":
    case "system.notification":
    case "skill.context_delivered":
      return { role: "system", content };
    case "assistant.message":
      return {
        role: "assistant",
        id: said.apiCallId ?? said.messageId,
        reasoning: said.reasoningText,
        content: answerBlocks(said),
      };
    case "tool.execution_complete": {
      const isError = said.success === false;
      const text = objectField(said, "result").content ?? objectField(said, "error").message;
      return { role: "tool", toolCallId: said.toolCallId, content: text, isError };
    }
    case "session.compaction_complete":
      return { role: "user", compaction: true, content: said.summaryContent };
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
