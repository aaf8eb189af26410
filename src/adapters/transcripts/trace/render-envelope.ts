import { faultText } from "../../../application/errors.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { derivedIds, fingerprintOfNumbers, hash53 } from "../../../domain/text/fingerprints.js";
import { formatInstant } from "../../../domain/trace/instant.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { RecordParts } from "../recorder/parts.js";
import { UUID } from "../recorder/record-origin.js";
import { type RecordedRow, RowKind } from "../recorder/trace-rows.js";
import type { DerivedFile, SessionFile } from "./derived-file.js";
import { showRow } from "./show-row.js";

export interface EnvelopeContext extends SessionKey {
  readonly root: string;
  readonly format: TranscriptFormat;
  readonly source: SessionFile;
  /** Instant of events without one; it precedes all others. */
  readonly begun: number;
  /** @param text unique in the source, for a record without an ID */
  readonly newId: (text: string) => string;
}

export function idsOf({ tenantId }: SessionKey, { name }: SessionFile): (text: string) => string {
  return derivedIds(`${tenantId}/${name}/`);
}

export interface RenderedLine {
  readonly record: JsonObject;
  readonly parts: RecordParts;
  readonly text: () => string;
}

export function envelopeOf(
  context: EnvelopeContext,
  row: RecordedRow,
  { record, parts }: RenderedLine,
): JsonObject & { readonly event: JsonObject } {
  const { tenantId, sessionId, source } = context;
  const conversation = source.derived.conversations[row.conversation]!;
  const visible = row.isInner ? (parts.inner ?? parts) : parts;
  const isOwn = conversation.agentId === source.agentId && !source.isAgent;
  const agentId = isOwn ? (source.continues ?? "") : conversation.agentId;
  const instant = Number.isNaN(row.instant) ? (conversation.firstInstant ?? context.begun) : row.instant;
  return {
    id: idOf(context, row, parts.id, visible.parts[row.part]?.block ?? 0),
    timestamp: formatInstant(instant),
    sequence: row.sequence,
    source: "runtime",
    sessionId,
    tenantId,
    traceId: conversation.agentId || sessionId,
    event: {
      ...eventOf(context, row, visible),
      ...(agentId === "" ? {} : { agentId }),
      stored: { file: source.name, line: row.line },
      ...(row.isMain && row.kind !== RowKind.record
        ? { record: CONTENT_KINDS.has(row.kind) ? parts.rest() : record }
        : {}),
    },
  };
}

export function renderEnvelope(envelope: JsonObject, { kind }: RecordedRow, { text }: RenderedLine): string {
  const rendered = jsonTextOf(envelope)!;
  // `event` is the last member, so the record goes before the last two braces.
  return kind === RowKind.record ? `${rendered.slice(0, -2)},"record":${text()}}}` : rendered;
}

/** An unexpected failure affects no other record. */
function eventOf(context: EnvelopeContext, row: RecordedRow, record: RecordParts): JsonObject {
  const { format, source } = context;
  if (row.kind === RowKind.repeat && row.isRepeated)
    return { type: `${format.name}.repeated`, repeats: true, bookkeeping: "record" };
  try {
    const event = showRow(row, record, source.derived);
    return row.kind === RowKind.toolEnd ? { ...event, persisted: persistedIn(context, row, record) } : event;
  } catch (error) {
    return { type: `${format.name}.fault`, fault: faultText(error) };
  }
}

function persistedIn(
  context: EnvelopeContext,
  row: RecordedRow,
  record: RecordParts,
): JsonObject | undefined {
  const name = record.parts[row.part]?.persistedAs?.();
  return name === undefined ? undefined : context.format.folder.persisted?.(context.root, context, name);
}

function idOf(
  { newId }: EnvelopeContext,
  row: RecordedRow,
  recordId: string | undefined,
  block: number,
): string {
  if (row.isMain && !row.isRepeated && recordId !== undefined && UUID.test(recordId))
    return recordId.toLowerCase();
  // The dropped messages distinguish rewinds.
  const dropped = row.kind === RowKind.block ? row.detail : 0;
  return newId(`${row.start}/${row.kind}/${dropped || block}/${row.isInner}`);
}

/** Kinds that display their record's content; for the others, the record does. */
const CONTENT_KINDS: ReadonlySet<RowKind> = new Set([
  RowKind.turnStart,
  RowKind.block,
  RowKind.toolStart,
  RowKind.toolEnd,
  RowKind.compactionEnd,
  RowKind.repeat,
]);

export function conversationFingerprints({
  name,
  agentId,
  isAgent,
  continues,
  derived,
}: SessionFile): readonly number[] {
  return derived.conversations.map((conversation) =>
    hash53(JSON.stringify([name, agentId, isAgent, continues, conversation.agentId])),
  );
}

/**
 * Covers all inputs of the rendering: line, row, and parts that later lines may change.
 * @param conversation the fingerprint of its conversation
 * @param instant its own instant, or the displayed one
 */
export function envelopeFingerprint(
  derived: DerivedFile,
  row: RecordedRow,
  conversation: number,
  instant: number,
): number {
  const { content, start, line, kind, isMain, isInner, isRepeated, part, sequence, detail } = row;
  const flags = (isMain ? 1 : 0) + (isInner ? 2 : 0) + (isRepeated ? 4 : 0);
  const besides = hash53(changingPart(derived, row));
  return fingerprintOfNumbers(
    conversation,
    content,
    start,
    line,
    kind,
    flags,
    part,
    sequence,
    instant,
    detail,
    besides,
  );
}

function changingPart({ calls, toolNames, replayed }: DerivedFile, { kind, detail }: RecordedRow): string {
  switch (kind) {
    case RowKind.sessionStart:
      return String(replayed);
    case RowKind.llmStart: {
      const { callId, model } = calls[detail]!;
      return JSON.stringify([callId, model]);
    }
    case RowKind.llmEnd:
      return JSON.stringify(calls[detail]);
    case RowKind.toolEnd:
      return toolNames[detail - 1] ?? "";
    default:
      return "";
  }
}
