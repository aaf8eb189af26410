import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import type { DerivedFile } from "../../transcripts/derived-file.js";
import { replayedIn, toolNameAt, turnEnd } from "../../transcripts/render-envelope.js";
import { type RecordedRow, RowKind } from "../../transcripts/trace-rows.js";
import { bookkeepingOf, subtypeOf } from "./bookkeeping.js";
import { answeredCallId, toolCallIdOf } from "./interpret.js";
import { blocksOf, blockType, errorMessage, isRefusedResult, messageOf } from "./record.js";

export function withoutContent(record: JsonObject, isInner: boolean): JsonObject {
  if (isInner) {
    const data = objectField(record, "data");
    return { ...record, data: { ...data, message: withoutContent(objectField(data, "message"), false) } };
  }
  const message = messageOf(record);
  if (message === undefined) return record;
  const { content: _, ...rest } = message;
  return { ...record, message: rest };
}

export function renderEvent(row: RecordedRow, line: JsonObject, file: DerivedFile): JsonObject {
  const message = messageOf(line) ?? {};
  switch (row.kind) {
    case RowKind.record:
    case RowKind.repeat:
      return passedThrough(line);
    case RowKind.sessionStart: {
      const { cwd, version, gitBranch } = line;
      const replayed = replayedIn(row, file);
      return { type: "session.start", derived: true, cwd, version, gitBranch, replayed };
    }
    case RowKind.turnStart:
      return { type: "turn.start", turnIndex: row.detail, input: message.content };
    case RowKind.turnEnd:
      return turnEnd(row, { durationMs: line.durationMs });
    case RowKind.llmStart: {
      const { callId } = file.calls[row.detail]!;
      return { type: "llm.start", callId, model: message.model, derived: true };
    }
    case RowKind.llmEnd: {
      const { callId, usage } = file.calls[row.detail]!;
      const stopReason = message.stop_reason ?? undefined;
      const { model } = message;
      const { requestId, costUSD } = line;
      return { type: "llm.end", callId, model, usage, stopReason, requestId, costUSD };
    }
    case RowKind.block:
      return blockEvent(blocksOf(message)[row.block], line.type === "user");
    case RowKind.toolStart: {
      const { type: _, id, name, input, ...rest } = blockOf(message, row);
      const toolCallId = toolCallIdOf(id, line, row.block, row);
      return { ...rest, type: "tool.start", toolCallId, toolName: name ?? "unknown", input };
    }
    case RowKind.toolEnd: {
      const block = blockOf(message, row);
      const { type: _, tool_use_id: __, content, is_error, ...rest } = block;
      const toolCallId = answeredCallId(block, line, row.block, row);
      const toolName = toolNameAt(row, file);
      const refused = isRefusedResult(block) ? true : undefined;
      const isError = is_error === true;
      return { ...rest, type: "tool.end", toolCallId, toolName, output: content, isError, refused };
    }
    case RowKind.compactionStart:
    case RowKind.compactionEnd: {
      const metadata = {
        ...objectField(line, "microcompactMetadata"),
        ...objectField(line, "compactMetadata"),
      };
      const { trigger, preTokens: tokensBefore, postTokens: tokensAfter } = metadata;
      if (row.kind === RowKind.compactionEnd) {
        return { type: "compaction.end", subtype: line.subtype, trigger, tokensBefore, tokensAfter };
      }
      return { type: "compaction.start", subtype: line.subtype, trigger, tokensBefore, derived: true };
    }
    case RowKind.error: {
      const { retryAttempt, maxRetries, retryInMs } = line;
      return {
        type: "error",
        error: { message: errorMessage(line) },
        ...(typeof retryAttempt === "number" ? { retryAttempt, maxRetries, retryInMs } : {}),
      };
    }
    default:
      return row.kind satisfies never;
  }
}

function passedThrough(line: JsonObject): JsonObject {
  // Words that Claude Code puts in the user's name, and that ask the model for nothing.
  if (line.type === "user") return { type: "text", role: "user" };
  const caller = line.type === "progress" ? textField(line, "parentToolUseID") : undefined;
  return {
    type: `claude-code.${textField(line, "type") ?? "unknown"}`,
    subtype: subtypeOf(line),
    toolCallId: caller ?? textField(objectField(line, "attachment"), "toolUseID"),
    ...bookkeepingOf(line),
  };
}

function blockEvent(block: unknown, isUsers: boolean): JsonObject {
  const kind = blockType(block);
  if (isUsers && kind === "text" && isJsonObject(block)) return { ...block, type: "text", role: "user" };
  const type = kind === "text" || kind === "thinking" ? kind : `claude-code.${kind}`;
  return isJsonObject(block) ? { ...block, type } : { type, value: block };
}

function blockOf(message: JsonObject, row: RecordedRow): JsonObject {
  const block = blocksOf(message)[row.block];
  return isJsonObject(block) ? block : {};
}
