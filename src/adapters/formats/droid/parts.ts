import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { NO_USAGE } from "../../../domain/usage/token-usage.js";
import { blockParts } from "../../transcripts/recorder/content-blocks.js";
import {
  type CommonPart,
  failureOf,
  promptPart,
  recordedAt,
  type ToolOutcome,
  textIn,
} from "../../transcripts/recorder/parts.js";
import type { PlainRecord } from "../../transcripts/recorder/plain-follower.js";

export function readRecord(record: JsonObject, line: number): PlainRecord {
  const { type } = record;
  const id = textField(record, "id");
  const message = objectField(record, "message");
  const role = message.role ?? record.role;
  const isMessage = type === "message";
  const parts = partsOf(record, line);
  const facts = {
    messageId: id,
    recordId: `line ${line}`,
    model: textField(message, "model"),
    usage: NO_USAGE,
  };
  return {
    parts,
    id,
    ...recordedAt(record.timestamp),
    isMessage,
    version: type === "session_start" ? textField(record, "version") : undefined,
    ...(parts.length === 0 ? { unknownType: String(type) } : {}),
    ...(isMessage && role === "assistant" ? { call: facts } : {}),
    directory: textField(record, "cwd"),
    sessionStart: () => ({ cwd: record.cwd, version: record.version, owner: record.owner }),
    callEnd: () => ({ model: message.model }),
    passed: () => ({
      type: `droid.${String(type)}`,
      ...(type === "session_start" ? { bookkeeping: "record" } : {}),
    }),
    rest() {
      const { content: _, ...others } = message;
      const { text: __, parameters: ___, value: ____, finalText: _____, ...rest } = record;
      return record.message === undefined ? rest : { ...rest, message: others };
    },
    text: () => textIn(message.content) || textField(record, "text") || textField(record, "finalText") || "",
  };
}

function partsOf(record: JsonObject, line: number): readonly CommonPart[] {
  switch (record.type) {
    case "session_start": {
      const chosen = textField(record, "sessionTitle") ?? textField(record, "title");
      return [{ is: "title", titles: { chosen } }];
    }
    case "message":
      if (record.message !== undefined)
        return blockParts(objectField(record, "message"), line, "droid", outcomeOf);
      return record.role === "user"
        ? [promptPart(textField(record, "text"), () => record.text)]
        : [textPart(record, "text")];
    case "tool_call": {
      const toolCallId = textField(record, "toolCallId") ?? `line ${line}`;
      const toolName = textField(record, "toolName") ?? "unknown";
      const event = () => ({ type: "tool.start", toolCallId, toolName, input: record.parameters });
      return [{ is: "call", toolCallId, toolName, event }];
    }
    case "tool_result": {
      const toolCallId = textField(record, "toolCallId") ?? `line ${line}`;
      const { value } = record;
      const exitCode = objectField(record, "value").exitCode ?? 0;
      const outcome = record.isError === true || exitCode !== 0 ? "failed" : "completed";
      const ended = { output: value, ...failureOf(outcome) };
      const event = () => ({ type: "tool.end", toolCallId, toolName: undefined, ...ended });
      const text = () => (typeof value === "string" ? value : (jsonTextOf(value) ?? ""));
      const end = () => ({ outcome: outcome as ToolOutcome, isLaunch: false });
      return [{ is: "result", toolCallId, event, end, result: () => ({ text: text() }) }];
    }
    case "completion":
      return [textPart(record, "finalText")];
    default:
      return [];
  }
}

function textPart(record: JsonObject, member: string): CommonPart {
  const text = textField(record, member);
  return { is: "text", text, event: () => ({ type: "text", text }) };
}

/** Only its text states that a command failed. */
function outcomeOf({ is_error: isError, content }: JsonObject): ToolOutcome {
  const isFailed = isError === true || /^Error: Command failed \(exit code: \d+\)/.test(textIn(content));
  return isFailed ? "failed" : "completed";
}
