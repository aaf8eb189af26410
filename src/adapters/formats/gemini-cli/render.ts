import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import type { DerivedFile } from "../../transcripts/derived-file.js";
import { turnEnd } from "../../transcripts/render-envelope.js";
import { type RecordedRow, RowKind } from "../../transcripts/trace-rows.js";
import {
  blockOf,
  blocksOf,
  outcomeOf,
  outputOf,
  partsOf,
  textsOf,
  toolCallIdOf,
  toolCallsOf,
} from "./record.js";

export function withoutContent(record: JsonObject): JsonObject {
  const { content, displayContent, thoughts: _, toolCalls: __, ...rest } = record;
  // Of a prompt that was expanded, what was typed is shown as its input.
  if (record.type === "user" && displayContent !== undefined) return { ...rest, content };
  return displayContent === undefined ? rest : { ...rest, displayContent };
}

export function renderEvent(row: RecordedRow, record: JsonObject, file: DerivedFile): JsonObject {
  switch (row.kind) {
    case RowKind.record:
    case RowKind.repeat:
      return passedThrough(record, row.isRepeated);
    case RowKind.sessionStart: {
      const { projectHash, kind, directories } = record;
      return { type: "session.start", derived: true, projectHash, sessionKind: kind, directories };
    }
    case RowKind.turnStart: {
      const prompt = record.displayContent ?? record.content;
      const input = typeof prompt === "string" ? prompt : partsOf(prompt).map(blockOf);
      return { type: "turn.start", turnIndex: row.detail, input };
    }
    case RowKind.turnEnd:
      return turnEnd(row, {});
    case RowKind.llmStart:
    case RowKind.llmEnd: {
      const { callId, usage } = file.calls[row.detail]!;
      const { model } = record;
      if (row.kind === RowKind.llmStart) return { type: "llm.start", callId, model, derived: true };
      return { type: "llm.end", callId, model, usage };
    }
    case RowKind.block:
      if (typeof record.$rewindTo === "string")
        return { type: "gemini-cli.rewind", rewindTo: record.$rewindTo, droppedMessages: row.block };
      return blocksOf(record)[row.block] ?? { type: "gemini-cli.part" };
    case RowKind.toolStart:
    case RowKind.toolEnd: {
      const call = toolCallsOf(record)[row.block] ?? {};
      const { id: _, name, args, result, resultDisplay, status, timestamp, ...rest } = call;
      const toolName = textField(call, "name") ?? "unknown";
      const tool = { toolCallId: toolCallIdOf(call, row.block, record, row.line), toolName };
      if (row.kind === RowKind.toolStart) return { ...rest, type: "tool.start", ...tool, input: args };
      const outcome = outcomeOf(call);
      const ended = { isError: outcome !== "completed", refused: outcome === "refused" ? true : undefined };
      return { type: "tool.end", ...tool, output: outputOf(call), ...ended, status, resultDisplay };
    }
    case RowKind.compactionStart:
      return { type: "compaction.start", derived: true };
    case RowKind.compactionEnd:
      return { type: "compaction.end", summary: textsOf(record.content).join("\n") };
    case RowKind.error: {
      const message = textsOf(record.content).join("\n") || "The API answered with an error.";
      return { type: "error", error: { message } };
    }
    default:
      return row.kind satisfies never;
  }
}

function passedThrough(record: JsonObject, isRepeated: boolean): JsonObject {
  const type = textField(record, "type");
  const bookkeeping = "record";
  if (isRepeated) return { type: "gemini-cli.rewritten", subtype: type, bookkeeping };
  // Words that Gemini CLI puts in the user's name, and that ask the model for nothing.
  if (type === "user") return { type: "text", role: "user" };
  if (type !== undefined) return { type: `gemini-cli.${type}` };
  const changed = isJsonObject(record.$set) ? Object.keys(record.$set).join(", ") : undefined;
  return changed === undefined
    ? { type: "gemini-cli.session", bookkeeping }
    : { type: "gemini-cli.set", subtype: changed, bookkeeping };
}
