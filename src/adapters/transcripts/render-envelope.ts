import { faultText } from "../../application/errors.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { JsonObject } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { derivedIds } from "../../domain/text/fingerprints.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { SessionFile } from "./derived-file.js";
import type { TranscriptFormat } from "./format.js";
import { type RecordedRow, RowKind } from "./trace-rows.js";

export interface EnvelopeContext extends SessionKey {
  readonly format: TranscriptFormat;
  readonly source: SessionFile;
  /** The instant of what knows none, and comes before everything that knows one. */
  readonly begun: number;
  /** Ids for records of the source that have none, by what tells them apart within it. */
  readonly newId: (text: string) => string;
}

/** What the ids of a source's records begin with. */
export function idsOf({ tenantId }: SessionKey, { name }: SessionFile): (text: string) => string {
  return derivedIds(`${tenantId}/${name}/`);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * An envelope as JSON text.
 *
 * @param record the line that it is derived from
 * @param text the line as it is stored: what passes through unchanged is copied from it, byte for byte
 */
export function renderEnvelope(
  context: EnvelopeContext,
  row: RecordedRow,
  record: JsonObject,
  text: () => string,
): string {
  const { tenantId, sessionId, source, format } = context;
  const conversation = source.derived.conversations[row.conversation]!;
  const line = row.isInner ? (format.innerRecord?.(record) ?? record) : record;
  const isOwn = conversation.agentId === source.agentId && !source.isAgent;
  const agentId = isOwn ? (source.continues ?? "") : conversation.agentId;
  const isPassedThrough = row.kind === RowKind.record;
  const instant = Number.isNaN(row.instant) ? (conversation.firstInstant ?? context.begun) : row.instant;
  const envelope = {
    id: idOf(context, row, record),
    timestamp: formatInstant(instant),
    sequence: row.sequence,
    source: "runtime",
    sessionId,
    tenantId,
    traceId: conversation.agentId || sessionId,
    event: {
      ...eventOf(context, row, line),
      ...(agentId === "" ? {} : { agentId }),
      stored: { file: source.name, line: row.line },
      ...(row.isMain && !isPassedThrough ? { record: restOf(format, record, row) } : {}),
    },
  };
  const rendered = jsonTextOf(envelope)!;
  // `event` is the last member of the envelope, so the record goes in front of the last two braces.
  return isPassedThrough ? `${rendered.slice(0, -2)},"record":${text()}}}` : rendered;
}

/** A record that nobody expected to fail takes no other one with it. */
function eventOf({ format, source }: EnvelopeContext, row: RecordedRow, line: JsonObject): JsonObject {
  try {
    return format.render(row, line, source.derived);
  } catch (error) {
    return { type: `${format.name}.fault`, fault: faultText(error) };
  }
}

function idOf({ format, newId }: EnvelopeContext, row: RecordedRow, record: JsonObject): string {
  const recordId = format.recordId?.(record);
  if (row.isMain && !row.isRepeated && recordId !== undefined && UUID.test(recordId))
    return recordId.toLowerCase();
  return newId(`${row.start}/${row.kind}/${row.block}/${row.isInner}`);
}

/** The kinds whose record's content is shown block by block, as a prompt, as messages, or with another record; the others leave it to the record. */
const CONTENT_KINDS: ReadonlySet<RowKind> = new Set([
  RowKind.turnStart,
  RowKind.block,
  RowKind.toolStart,
  RowKind.toolEnd,
  RowKind.compactionEnd,
  RowKind.repeat,
]);

/** The record without what the envelopes of its line show already. */
function restOf(format: TranscriptFormat, record: JsonObject, row: RecordedRow): JsonObject {
  return CONTENT_KINDS.has(row.kind) ? format.withoutContent(record, row.isInner) : record;
}
