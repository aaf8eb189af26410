import { faultText } from "../../application/errors.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { JsonObject } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { derivedIds, fingerprintOfNumbers, hash53 } from "../../domain/text/fingerprints.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { DerivedFile, SessionFile } from "./derived-file.js";
import type { TranscriptFormat } from "./format.js";
import type { RecordParts } from "./parts.js";
import { showRow } from "./show-row.js";
import { type RecordedRow, RowKind } from "./trace-rows.js";

export interface EnvelopeContext extends SessionKey {
  readonly root: string;
  readonly format: TranscriptFormat;
  readonly source: SessionFile;
  /** The instant of what knows none, and comes before everything that knows one. */
  readonly begun: number;
  /** Creates ids for records of the source that have none, from a text that is unique in the source. */
  readonly newId: (text: string) => string;
}

/** Returns the prefix of the ids of a source's records. */
export function idsOf({ tenantId }: SessionKey, { name }: SessionFile): (text: string) => string {
  return derivedIds(`${tenantId}/${name}/`);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A line that envelopes are derived from. */
export interface ShownLine {
  readonly record: JsonObject;
  readonly parts: RecordParts;
  /** The line as it is stored: what passes through unchanged is copied from it, byte for byte. */
  readonly text: () => string;
}

/** An envelope, but for a record that passes through. */
export function envelopeOf(
  context: EnvelopeContext,
  row: RecordedRow,
  { record, parts }: ShownLine,
): JsonObject & { readonly event: JsonObject } {
  const { tenantId, sessionId, source } = context;
  const conversation = source.derived.conversations[row.conversation]!;
  const shown = row.isInner ? (parts.inner ?? parts) : parts;
  const isOwn = conversation.agentId === source.agentId && !source.isAgent;
  const agentId = isOwn ? (source.continues ?? "") : conversation.agentId;
  const instant = Number.isNaN(row.instant) ? (conversation.firstInstant ?? context.begun) : row.instant;
  return {
    id: idOf(context, row, parts.id, shown.parts[row.part]?.block ?? 0),
    timestamp: formatInstant(instant),
    sequence: row.sequence,
    source: "runtime",
    sessionId,
    tenantId,
    traceId: conversation.agentId || sessionId,
    event: {
      ...eventOf(context, row, shown),
      ...(agentId === "" ? {} : { agentId }),
      stored: { file: source.name, line: row.line },
      ...(row.isMain && row.kind !== RowKind.record
        ? { record: CONTENT_KINDS.has(row.kind) ? parts.rest() : record }
        : {}),
    },
  };
}

/** An envelope as JSON text. */
export function renderEnvelope(envelope: JsonObject, { kind }: RecordedRow, { text }: ShownLine): string {
  const rendered = jsonTextOf(envelope)!;
  // `event` is the last member of the envelope, so the record goes in front of the last two braces.
  return kind === RowKind.record ? `${rendered.slice(0, -2)},"record":${text()}}}` : rendered;
}

/** A record that nobody expected to fail takes no other one with it. */
function eventOf(context: EnvelopeContext, row: RecordedRow, record: RecordParts): JsonObject {
  const { format, source } = context;
  try {
    const event = showRow(row, record, source.derived);
    return row.kind === RowKind.toolEnd ? { ...event, persisted: persistedIn(context, row, record) } : event;
  } catch (error) {
    return { type: `${format.name}.fault`, fault: faultText(error) };
  }
}

/** Returns the location of the complete output if the record holds only its beginning. */
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
  // The number of dropped messages distinguishes rewinds.
  const dropped = row.kind === RowKind.block ? row.detail : 0;
  return newId(`${row.start}/${row.kind}/${dropped || block}/${row.isInner}`);
}

/**
 * Kinds whose record's content is displayed by block, as a prompt, as messages, or with another record; the others leave it to the
 * record.
 */
const CONTENT_KINDS: ReadonlySet<RowKind> = new Set([
  RowKind.turnStart,
  RowKind.block,
  RowKind.toolStart,
  RowKind.toolEnd,
  RowKind.compactionEnd,
  RowKind.repeat,
]);

/** Returns the data that the envelopes of each conversation of a file take from it. */
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
 * Returns a fingerprint of all inputs of an envelope's rendering: its line, its row, and the parts that later lines may still change.
 *
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

/** Returns the content of an envelope that is neither in its line nor in its row. */
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
