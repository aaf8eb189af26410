import { derivedId } from "../../domain/derived-id.js";
import { formatInstant } from "../../domain/instant.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../../domain/json.js";
import { agentProgress, blocksOf, blockType, errorMessage, isUuid, messageOf } from "./claude-record.js";
import { answeredCallId, OUTCOMES, toolCallIdOf } from "./interpret-record.js";
import type { ReadFile } from "./session-reader.js";
import { RowKind, type TraceRow } from "./trace-rows.js";

/** The session and the file that an envelope belongs to. */
export interface EnvelopeContext {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly source: ReadFile;
  /** The instant of what knows none, and comes before everything that knows one. */
  readonly begun: number;
}

type Fields = Record<string, unknown>;

/**
 * An envelope as JSON text.
 *
 * @param record the line that it is derived from
 * @param text the line as it is stored: what passes through unchanged is copied from it, byte for byte
 */
export function renderEnvelope(
  context: EnvelopeContext,
  row: TraceRow,
  record: JsonObject,
  text: () => string,
): string {
  const { tenantId, sessionId, source } = context;
  const thread = source.file.threads[row.thread]!;
  const line = row.isInner ? (agentProgress(record)?.inner ?? record) : record;
  const agentId = thread.agentId === source.agentId && !source.isAgent ? "" : thread.agentId;
  const isPassedThrough = row.kind === RowKind.record;
  const instant = Number.isNaN(row.instant) ? (thread.firstInstant ?? context.begun) : row.instant;
  const envelope = {
    id: idOf(context, row, record),
    timestamp: formatInstant(instant),
    sequence: row.sequence,
    source: "runtime",
    sessionId,
    tenantId,
    traceId: thread.agentId || sessionId,
    event: {
      ...eventOf(row, line, source),
      ...(agentId === "" ? {} : { agentId }),
      stored: { file: source.name, line: row.line },
      ...(row.isMain && !isPassedThrough ? { record: restOf(record, row) } : {}),
    },
  };
  const rendered = JSON.stringify(envelope);
  // `event` is the last member of the envelope, so the record goes in front of the last two braces.
  return isPassedThrough ? `${rendered.slice(0, -2)},"record":${text()}}}` : rendered;
}

function idOf({ tenantId, source }: EnvelopeContext, row: TraceRow, record: JsonObject): string {
  if (row.isMain && !row.isRepeated && isUuid(record.uuid)) return record.uuid.toLowerCase();
  return derivedId(`${tenantId}/${source.name}/${row.start}/${row.kind}/${row.block}/${row.isInner}`);
}

/** What tells the content of a record block by block, or as a prompt; others leave it to the record. */
const CONTENT_KINDS: ReadonlySet<RowKind> = new Set([
  RowKind.turnStart,
  RowKind.block,
  RowKind.toolStart,
  RowKind.toolEnd,
]);

/** The record without what the envelopes of its line show already. */
function restOf(record: JsonObject, { kind, isInner }: TraceRow): JsonObject {
  return CONTENT_KINDS.has(kind) ? withoutContent(record, isInner) : record;
}

function withoutContent(record: JsonObject, isInner: boolean): JsonObject {
  if (isInner) {
    const data = objectField(record, "data");
    return { ...record, data: { ...data, message: withoutContent(objectField(data, "message"), false) } };
  }
  const message = messageOf(record);
  if (message === undefined) return record;
  const { content: _, ...rest } = message;
  return { ...record, message: rest };
}

function eventOf(row: TraceRow, line: JsonObject, source: ReadFile): Fields {
  const message = messageOf(line) ?? {};
  switch (row.kind) {
    case RowKind.record:
      return passedThrough(line);
    case RowKind.sessionStart: {
      const { cwd, version, gitBranch } = line;
      const { replayed } = source.file;
      const tellsReplays = replayed > 0 && row.thread === 0;
      const start = { type: "session.start", derived: true, cwd, version, gitBranch };
      return tellsReplays ? { ...start, replayed } : start;
    }
    case RowKind.turnStart:
      return { type: "turn.start", turnIndex: row.detail, input: message.content };
    case RowKind.turnEnd: {
      const turnIndex = Math.floor(row.detail / OUTCOMES.length);
      const outcome = OUTCOMES[row.detail % OUTCOMES.length];
      const more = row.isMain ? { durationMs: line.durationMs } : { derived: true };
      return { type: "turn.end", turnIndex, outcome, ...more };
    }
    case RowKind.llmStart: {
      const { callId } = source.file.calls[row.detail]!;
      return { type: "llm.start", callId, model: message.model, derived: true };
    }
    case RowKind.llmEnd: {
      const { callId, usage } = source.file.calls[row.detail]!;
      const stopReason = message.stop_reason ?? undefined;
      const { model } = message;
      return { type: "llm.end", callId, model, usage, stopReason, requestId: line.requestId };
    }
    case RowKind.block:
      return blockEvent(blocksOf(message)[row.block]);
    case RowKind.toolStart: {
      const { type: _, id, name, input, ...rest } = blockOf(message, row);
      const toolCallId = toolCallIdOf(id, line, row.block, row);
      return { ...rest, type: "tool.start", toolCallId, toolName: name ?? "unknown", input };
    }
    case RowKind.toolEnd: {
      const block = blockOf(message, row);
      const { type: _, tool_use_id: __, content, is_error, ...rest } = block;
      const toolCallId = answeredCallId(block, line, row.block, row);
      const toolName = source.file.toolNames[row.detail - 1] ?? "unknown";
      return { ...rest, type: "tool.end", toolCallId, toolName, output: content, isError: is_error === true };
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

function passedThrough(line: JsonObject): Fields {
  const details = ["data", "attachment"].map((member) => textField(objectField(line, member), "type"));
  return {
    type: `claude-code.${textField(line, "type") ?? "unknown"}`,
    subtype: textField(line, "subtype") ?? details.find((detail) => detail !== undefined),
    toolCallId: line.type === "progress" ? textField(line, "parentToolUseID") : undefined,
  };
}

function blockEvent(block: unknown): Fields {
  const type = `claude-code.${blockType(block)}`;
  return isJsonObject(block) ? { ...block, type } : { type, value: block };
}

function blockOf(message: JsonObject, row: TraceRow): JsonObject {
  const block = blocksOf(message)[row.block];
  return isJsonObject(block) ? block : {};
}
