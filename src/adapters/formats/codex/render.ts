import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import type { DerivedFile } from "../../transcripts/derived-file.js";
import { derivedCall, replayedIn, toolNameAt, turnEnd } from "../../transcripts/render-envelope.js";
import { type RecordedRow, RowKind } from "../../transcripts/trace-rows.js";
import { entryOf, textIn, textsIn, thoughtsOf } from "./record.js";
import { callIdOf, inputOf, outcomeOf, toolNameOf, toolOutcome } from "./tools.js";

/** The members of a payload that hold what the event of its line shows already. */
const CONTENT =
  /^(content|message|text|summary|arguments|input|action|(aggregated_|formatted_)?output|stdout|changes|result|replacement_history)$/;

/** What Codex notes of its own work: the types of records, of events in them and of items. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "context_compacted",
  "ghost_snapshot",
  "inter_agent_communication_metadata",
  "retained_context",
  "session_meta",
  "task_complete",
  "task_started",
  "thread_settings_applied",
  "token_count",
  "token_usage_record",
  "turn_context",
  "world_state",
]);

export function withoutContent(record: JsonObject): JsonObject {
  const { payload } = entryOf(record);
  const rest = Object.fromEntries(Object.entries(payload).filter(([member]) => !CONTENT.test(member)));
  return payload === record ? rest : { ...record, payload: rest };
}

export function renderEvent(row: RecordedRow, record: JsonObject, file: DerivedFile): JsonObject {
  const { type, payload, kind } = entryOf(record);
  switch (row.kind) {
    case RowKind.record:
    case RowKind.repeat: {
      const name = (type === "event_msg" || type === "response_item" ? kind : type) || "unknown";
      const toolCallId = textField(payload, "call_id");
      const repeats = row.kind === RowKind.repeat ? true : undefined;
      const bookkeeping = BOOKKEEPING.has(name) ? "record" : undefined;
      return { type: `codex.${name}`, bookkeeping, toolCallId, repeats };
    }
    case RowKind.sessionStart: {
      const { cwd, cli_version: version, originator, source, model_provider: provider } = payload;
      const gitBranch = objectField(payload, "git").branch;
      const where = { cwd, version, gitBranch, originator, source, provider };
      return { type: "session.start", derived: true, ...where, replayed: replayedIn(row, file) };
    }
    case RowKind.turnStart:
      return row.isMain
        ? { type: "turn.start", turnIndex: row.detail, input: saidIn(payload) }
        : { type: "turn.start", turnIndex: row.detail, derived: true };
    case RowKind.turnEnd: {
      const { duration_ms: durationMs, reason, error } = payload;
      return turnEnd(row, { durationMs, reason, error: error ?? undefined });
    }
    case RowKind.llmStart:
    case RowKind.llmEnd:
      return derivedCall(row, file);
    case RowKind.block:
      return blockEvent(payload, kind, row.block);
    case RowKind.toolStart:
      return {
        type: "tool.start",
        toolCallId: callIdOf(payload, row),
        toolName: toolNameOf(payload),
        input: inputOf(payload),
      };
    case RowKind.toolEnd:
      return toolEnd(payload, row, file);
    case RowKind.compactionStart:
      return { type: "compaction.start", tokensBefore: row.detail || undefined, derived: true };
    case RowKind.compactionEnd: {
      const kept = Array.isArray(payload.replacement_history)
        ? payload.replacement_history.length
        : undefined;
      return {
        type: "compaction.end",
        tokensBefore: row.detail || undefined,
        summary: payload.message,
        kept,
      };
    }
    case RowKind.error:
      return { type: "error", error: { message: payload.message, info: payload.codex_error_info } };
    default:
      return row.kind satisfies never;
  }
}

/** A prompt: its text where it is nothing but text. */
function saidIn(payload: JsonObject): unknown {
  const { content, message } = payload;
  if (!Array.isArray(content)) return message ?? content;
  return textsIn(content).length === content.length ? textIn(content) : content;
}

function blockEvent(payload: JsonObject, kind: string, block: number): JsonObject {
  if (kind === "reasoning" || kind.startsWith("agent_reasoning")) {
    const [text] = kind === "reasoning" ? thoughtsOf(payload).slice(block) : textsIn(payload.text);
    // What was thought is only readable where it was summed up.
    return { type: "thinking", text: text ?? "", encrypted: text === undefined ? true : undefined };
  }
  const role = textField(payload, "role") ?? (kind === "user_message" ? "user" : "assistant");
  const { author, recipient, phase, images } = payload;
  const said = saidIn(payload);
  const text = typeof said === "string" ? { text: said } : { text: textIn(said), content: said };
  return { type: "text", role: author === undefined ? role : author, ...text, recipient, phase, images };
}

function toolEnd(payload: JsonObject, row: RecordedRow, file: DerivedFile): JsonObject {
  const { output, exitCode, durationMs } = outcomeOf(payload);
  const outcome = toolOutcome(payload);
  return {
    type: "tool.end",
    toolCallId: callIdOf(payload, row),
    toolName: toolNameAt(row, file),
    output,
    exitCode,
    durationMs,
    changes: payload.changes,
    isError: outcome !== "completed",
    refused: outcome === "refused" ? true : undefined,
    derived: row.isMain ? undefined : true,
  };
}
