import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { messageParts } from "../../transcripts/recorder/content-blocks.js";
import type { HistoryPart, HistoryRecord } from "../../transcripts/recorder/history-record.js";
import { type ToolOutcome, textIn } from "../../transcripts/recorder/parts.js";

export function readRecord(record: JsonObject): HistoryRecord {
  const type = String(record.type);
  const message = objectField(record, "message");
  const isMessage = type === "message";
  // A call and its result have the same id.
  const id = isMessage ? textField(record, "id") : undefined;
  const isStart = type === "session_start" || (type === "system" && record.subtype === "init");
  const isAnswer = isMessage && (message.role ?? record.role) === "assistant";
  const { content: _, ...others } = message;
  const { text: __, parameters: ___, value: ____, finalText: _____, ...rest } = record;
  return {
    parts: partsOf(record),
    type,
    isMessage,
    isBookkeeping: isStart,
    id,
    version: type === "session_start" ? textField(record, "version") : undefined,
    directory: textField(record, "cwd"),
    call: isAnswer ? { messageId: id, model: textField(message, "model") } : undefined,
    start: { cwd: record.cwd, version: record.version, owner: record.owner, model: record.model },
    rest: record.message === undefined ? rest : { ...rest, message: others },
  };
}

function partsOf(record: JsonObject): readonly HistoryPart[] {
  const callId = textField(record, "toolCallId") ?? textField(record, "id");
  switch (record.type) {
    case "session_start":
      return [{ is: "title", title: textField(record, "sessionTitle") ?? textField(record, "title") }];
    case "message": {
      if (record.message !== undefined) return messageParts(objectField(record, "message"), outcomeOf);
      const text = textField(record, "text");
      return [record.role === "user" ? { is: "prompt", text, input: record.text } : { is: "text", text }];
    }
    case "tool_call":
      return [
        {
          is: "call",
          callId,
          tool: textField(record, "toolName") ?? textField(record, "toolId"),
          input: record.parameters,
        },
      ];
    case "tool_result": {
      const { value: output } = record;
      const exitCode = objectField(record, "value").exitCode ?? 0;
      const hasFailed = record.isError === true || exitCode !== 0;
      return [{ is: "result", callId, output, outcome: hasFailed ? "failed" : "completed" }];
    }
    case "completion":
      return [{ is: "text", text: textField(record, "finalText") }];
    default:
      return [];
  }
}

/** Only its text states that a command failed. */
function outcomeOf({ is_error: isError, content }: JsonObject): ToolOutcome {
  const isFailed = isError === true || /^Error: Command failed \(exit code: \d+\)/.test(textIn(content));
  return isFailed ? "failed" : "completed";
}
