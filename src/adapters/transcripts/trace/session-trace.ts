import type { JsonObject } from "../../../domain/json/json.js";
import { isPause } from "../../../domain/lists/is-pause.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import type { TraceKeys } from "../../../domain/trace/trace-order.js";
import { decodeText, parseRecordBytes } from "../../files/bytes/parse-line.js";
import type { TranscriptFormat } from "../folder/format.js";
import { isOwnConversation } from "../folder/transcript-files.js";
import { type RecordedRow, RowKind } from "../recorder/trace-rows.js";
import { agentsWithLines, beginningOf, type FileConversation, type SessionFile } from "./derived-file.js";
import { EnvelopeBatchPlan } from "./envelope-batch-plan.js";
import { readPlaces } from "./read-places.js";
import {
  conversationFingerprints,
  type EnvelopeContext,
  envelopeFingerprint,
  envelopeOf,
  idsOf,
  type RenderedLine,
  renderEnvelope,
} from "./render-envelope.js";
import { BatchBuilder, type TextBatch } from "./text-batch.js";

const PAUSE_BYTES = 64 * 1024;

interface PutTogether {
  readonly trace: SessionTrace;
  readonly keys: TraceKeys;
  readonly fingerprints: Float64Array;
}

/** Index of the envelopes in all files of a session. Each envelope is derived when it is read. */
export class SessionTrace {
  readonly files: readonly SessionFile[];
  readonly size: number;
  readonly #fileOf: Uint16Array;
  readonly #rowOf: Uint32Array;
  readonly #begun: number;

  private constructor(files: readonly SessionFile[], size: number, fileOf: Uint16Array, rowOf: Uint32Array) {
    this.files = files;
    this.size = size;
    this.#fileOf = fileOf;
    this.#rowOf = rowOf;
    this.#begun = beginningOf(files);
  }

  static *of(sessionId: string, files: readonly SessionFile[]): Generator<void, PutTogether> {
    const most = files.reduce((sum, { derived }) => sum + derived.size, 0);
    const fileOf = new Uint16Array(most);
    const rowOf = new Uint32Array(most);
    const traces = new Uint32Array(most);
    const sequences = new Float64Array(most);
    const instants = new Float64Array(most);
    const fingerprints = new Float64Array(most);
    const traceIds: string[] = [];
    const withLines = agentsWithLines(files);
    const begun = beginningOf(files);
    let size = 0;
    for (const [file, source] of files.entries()) {
      const { derived, agentId } = source;
      const { conversations } = derived;
      const ofConversations = conversationFingerprints(source);
      const firstTrace = traceIds.length;
      for (const conversation of conversations) traceIds.push(conversation.agentId || agentId || sessionId);
      for (let i = 0; i < derived.size; i++) {
        if (isPause(i)) yield;
        const row = derived.rowAt(i);
        if (!isVisible(row, conversations, withLines)) continue;
        const knowsNone = conversations[row.conversation]!.firstInstant === undefined;
        fileOf[size] = file;
        rowOf[size] = i;
        traces[size] = firstTrace + row.conversation;
        sequences[size] = row.sequence;
        const instant = knowsNone ? begun : row.instant;
        instants[size] = instant;
        fingerprints[size++] = envelopeFingerprint(derived, row, ofConversations[row.conversation]!, instant);
      }
    }
    const trace = new SessionTrace(files, size, fileOf, rowOf);
    const keys = {
      size,
      traces: traces.subarray(0, size),
      sequences: sequences.subarray(0, size),
      instants: instants.subarray(0, size),
      traceIds,
    };
    return { trace, keys, fingerprints: fingerprints.subarray(0, size) };
  }

  /** Returns the message of the session's own conversation for each envelope; -1 for none. */
  *messagesOf(positions: Uint32Array): Generator<void, Int32Array> {
    let before = 0;
    const firstOf = this.files.map((file) => {
      if (!isOwnConversation(file)) return -1;
      before += file.derived.messageStarts.length;
      return before - file.derived.messageStarts.length;
    });
    const positionsOf = new Int32Array(positions.length).fill(-1);
    for (const [i, position] of positions.entries()) {
      if (isPause(i)) yield;
      const file = this.#fileOf[position]!;
      const first = firstOf[file]!;
      if (first === -1) continue;
      const { messageStarts, rowAt } = this.files[file]!.derived;
      const index = indexIn(messageStarts, rowAt(this.#rowOf[position]!).start);
      if (index !== -1) positionsOf[i] = first + index;
    }
    return positionsOf;
  }

  /**
   * Returns envelopes in order, as many as fit in one batch.
   * @throws SourceChangedError if a file has changed
   */
  *read(
    root: string,
    format: TranscriptFormat,
    owner: SessionKey,
    positions: Uint32Array,
  ): Generator<void, TextBatch> {
    const plan = this.#planOf(positions);
    const batch = new BatchBuilder(plan.size);
    yield* this.#readPlanned(root, format, owner, plan, (place, row, line, context) => {
      batch.addText(place, renderEnvelope(envelopeOf(context, row, line), row, line));
    });
    return batch.batch();
  }

  /**
   * @param positions in order
   * @param take gets each envelope, and the length of its JSON in UTF-8
   * @param takeLine gets each line at least once, also without an envelope
   */
  *each(
    root: string,
    format: TranscriptFormat,
    owner: SessionKey,
    positions: Uint32Array,
    take: (envelope: JsonObject, bytes: number) => void,
    takeLine: (file: SessionFile, start: number, record: JsonObject) => void,
  ): Generator<void, void> {
    for (let from = 0; from < positions.length; ) {
      const plan = this.#planOf(positions.subarray(from));
      const envelopes: (readonly [JsonObject, number])[] = [];
      yield* this.#readPlanned(root, format, owner, plan, (place, row, line, context) => {
        const envelope = envelopeOf(context, row, line);
        const bytes = Buffer.byteLength(renderEnvelope(envelope, row, line));
        const { record } = line;
        const isDerived = row.kind !== RowKind.record;
        const event = isDerived ? envelope.event : { ...envelope.event, record };
        envelopes[place] = [isDerived ? envelope : { ...envelope, event }, bytes];
        takeLine(context.source, row.start, record);
      });
      for (const [envelope, bytes] of envelopes) take(envelope, bytes);
      from += plan.size;
      yield;
    }
  }

  #planOf(positions: Uint32Array): EnvelopeBatchPlan {
    const plan = new EnvelopeBatchPlan();
    for (const position of positions) {
      const file = this.#fileOf[position]!;
      const row = this.files[file]!.derived.rowAt(this.#rowOf[position]!);
      if (!plan.hasRoomFor(file, row)) break;
      plan.add(file, row);
    }
    return plan;
  }

  *#readPlanned(
    root: string,
    format: TranscriptFormat,
    owner: SessionKey,
    plan: EnvelopeBatchPlan,
    take: (place: number, row: RecordedRow, line: RenderedLine, context: EnvelopeContext) => void,
  ): Generator<void, void> {
    for (const [file, lines] of plan.lines) {
      const source = this.files[file]!;
      const context = { ...owner, root, source, format, begun: this.#begun, newId: idsOf(owner, source) };
      const inOrder = [...lines.values()].sort((a, b) => a.start - b.start);
      let done = 0;
      yield* readPlaces({ root, format }, source, inOrder, (bytes, i) => {
        const { line, rows } = inOrder[i]!;
        const record = parseRecordBytes(bytes);
        const text = () => decodeText(bytes, 0, bytes.length);
        const rendered = { record, parts: format.parts(record, line), text };
        for (const { place, row } of rows) take(place, row, rendered, context);
        done += bytes.length;
        const isPause = done >= PAUSE_BYTES;
        if (isPause) done = 0;
        return isPause;
      });
    }
  }
}

function indexIn(ascending: Float64Array, wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === wanted ? low : -1;
}

/** A progress record has two readings; the sub-agent's own applies only if nothing else displays its work. */
function isVisible(
  row: RecordedRow,
  conversations: readonly FileConversation[],
  withLines: ReadonlySet<string>,
): boolean {
  const conversation = conversations[row.conversation]!;
  if (conversation.isProgress) return !withLines.has(conversation.agentId);
  if (row.kind !== RowKind.repeat || row.detail === 0) return true;
  return withLines.has(conversations[row.detail - 1]!.agentId);
}
