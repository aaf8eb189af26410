import { faultText } from "../../application/errors.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { JsonObject } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { derivedIds, fingerprintOfNumbers, hash53 } from "../../domain/text/fingerprints.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { DerivedFile, SessionFile } from "./derived-file.js";
import type { TranscriptFormat } from "./format.js";
import { OUTCOMES, type RecordedRow, RowKind } from "./trace-rows.js";

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

/** What the envelopes of each conversation of a file have from it. */
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
 * A fingerprint of all that an envelope is rendered from: its line, its row, and what lines behind it may still change.
 *
 * @param conversation the fingerprint of its conversation
 * @param instant its own, or the one that it is shown with
 */
export function envelopeFingerprint(
  derived: DerivedFile,
  row: RecordedRow,
  conversation: number,
  instant: number,
): number {
  const { content, start, line, kind, isMain, isInner, isRepeated, block, sequence, detail } = row;
  const flags = (isMain ? 1 : 0) + (isInner ? 2 : 0) + (isRepeated ? 4 : 0);
  const besides = hash53(changingPart(derived, row));
  return fingerprintOfNumbers(
    conversation,
    content,
    start,
    line,
    kind,
    flags,
    block,
    sequence,
    instant,
    detail,
    besides,
  );
}

/** What an envelope shows that is neither in its line nor in its row. */
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

/** What an end of a turn says, whatever the format: of one that no record states, that it was derived. */
export function turnEnd(row: RecordedRow, stated: JsonObject): JsonObject {
  const turnIndex = Math.floor(row.detail / OUTCOMES.length);
  const outcome = OUTCOMES[row.detail % OUTCOMES.length];
  return { type: "turn.end", turnIndex, outcome, ...(row.isMain ? stated : { derived: true }) };
}

/** The beginning or the end of a model call that other records than its own tell of. */
export function derivedCall(row: RecordedRow, file: DerivedFile): JsonObject {
  const { callId, model, usage } = file.calls[row.detail]!;
  return row.kind === RowKind.llmStart
    ? { type: "llm.start", callId, model, derived: true }
    : { type: "llm.end", callId, model, usage, derived: true };
}

export function toolNameAt(row: RecordedRow, file: DerivedFile): string {
  return file.toolNames[row.detail - 1] ?? "unknown";
}

/** How many lines of a file are replays, where the row is the beginning of its own conversation and there are some. */
export function replayedIn(row: RecordedRow, { replayed }: DerivedFile): number | undefined {
  return row.conversation === 0 && replayed > 0 ? replayed : undefined;
}
