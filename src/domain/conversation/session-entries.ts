import { isJsonObject, type JsonObject, textField } from "../json/json.js";

/**
 * Returns a Pi record in the shape of other vendors' messages; `undefined` for any other record. Source: `docs/session-format.md` and
 * `docs/message-types.md` of the package `@earendil-works/pi-coding-agent`.
 */
export function entryMessage(message: JsonObject): JsonObject | undefined {
  const { content, summary, isError } = message;
  const toolCallId = textField(message, "toolCallId");
  switch (message.role ?? message.type) {
    case "toolResult":
      return toolCallId === undefined ? undefined : { role: "tool", toolCallId, content, isError };
    case "compaction":
    case "branch_summary":
    case "compactionSummary":
    case "branchSummary":
      return typeof summary === "string" ? { role: "user", compaction: true, content: summary } : undefined;
    case "custom_message":
    case "custom":
    case "hookMessage":
      return textField(message, "customType") === undefined ? undefined : { role: "system", content };
    case "bashExecution": {
      const command = textField(message, "command");
      if (command === undefined) return undefined;
      return { role: "user", content: `! ${command}\n${textField(message, "output") ?? ""}`.trimEnd() };
    }
    case "system": {
      if (!isJsonObject(message.sections)) return undefined;
      const texts = [content, ...Object.values(message.sections)];
      const spoken = texts.filter((text) => typeof text === "string" && text !== "");
      return { role: "system", content: spoken.join("\n\n") };
    }
    default:
      return undefined;
  }
}
