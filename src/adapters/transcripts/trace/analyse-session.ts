import { cutDeep, type JsonObject, recordIn } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { firstWhere, groupBy } from "../../../domain/lists/lists.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import type { SessionAnalysis } from "../../../domain/summary/session-analysis.js";
import { orderTrace, type TraceKeys } from "../../../domain/trace/trace-order.js";
import { TraceSequenceMerge } from "../../../domain/trace/trace-sequence-merge.js";
import { parseRecordBytes } from "../../files/bytes/parse-line.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { SessionFile } from "./derived-file.js";
import { joinedOutline } from "./joined-outline.js";
import { messageIn } from "./message-in-record.js";
import { type ReadFolder, readPlaces } from "./read-places.js";
import type { SessionTrace } from "./session-trace.js";

export interface AnalysedTranscript {
  readonly root: string;
  readonly format: TranscriptFormat;
  readonly owner: SessionKey;
  readonly trace: SessionTrace;
  readonly keys: TraceKeys;
  readonly events: readonly object[];
  /** By agent; `""` for the session's own. */
  readonly conversations: ReadonlyMap<string, readonly SessionFile[]>;
}

/**
 * Adds envelopes in trace order, and the messages of all conversations. A line with both is parsed once.
 * @throws SourceChangedError if a file has changed
 */
export function* analyseSession(
  { root, format, owner, trace, keys, events, conversations }: AnalysedTranscript,
  analysis: SessionAnalysis,
): Generator<void, void> {
  const messages = new AddedMessages(format, conversations, analysis);
  const order = yield* orderTrace(keys);
  const positions = order.positions ?? Uint32Array.from({ length: keys.size }, (_, i) => i);
  let place = 0;
  const numbered = (envelope: JsonObject): JsonObject =>
    order.renumbered ? { ...envelope, sequence: place++ } : envelope;
  yield* trace.each(
    root,
    format,
    owner,
    positions,
    (envelope, bytes) => analysis.addEnvelope(numbered(cutDeep(envelope) as JsonObject), bytes),
    (file, start, record) => messages.add(file.path, start, record),
  );
  const merge = new TraceSequenceMerge(order);
  for (const envelope of yield* merge.orchestrationEnvelopes(owner.tenantId, owner.sessionId, events)) {
    const text = jsonTextOf(envelope)!;
    analysis.addEnvelope(recordIn(text), Buffer.byteLength(text));
  }
  yield* messages.addOthers({ root, format });
}

class AddedMessages {
  readonly #format: TranscriptFormat;
  readonly #analysis: SessionAnalysis;
  readonly #files: readonly FileMessages[];
  readonly #byPath: ReadonlyMap<string, readonly FileMessages[]>;

  constructor(
    format: TranscriptFormat,
    conversations: AnalysedTranscript["conversations"],
    analysis: SessionAnalysis,
  ) {
    this.#format = format;
    this.#analysis = analysis;
    this.#files = [...conversations].flatMap(([agentId, files]) => messagesOf(agentId, files));
    const own = this.#files.filter(({ file }) => file.inheritedTo === undefined);
    this.#byPath = groupBy(own, ({ file }) => file.path);
    for (const [agentId, files] of conversations) analysis.outlineConversation(agentId, joinedOutline(files));
  }

  add(path: string, start: number, record: JsonObject): void {
    for (const messages of this.#byPath.get(path) ?? []) {
      const { messageStarts } = messages.file.derived;
      const index = firstWhere(0, messageStarts.length, (i) => messageStarts[i]! >= start);
      if (messageStarts[index] === start) this.#addAt(messages, index, record);
    }
  }

  *addOthers(folder: ReadFolder): Generator<void, void> {
    for (const messages of this.#files) {
      const { file, isAdded } = messages;
      const { messageStarts, messageLengths } = file.derived;
      const indexes = [...messageStarts.keys()].filter((i) => isAdded[i] === 0);
      const places = indexes.map((i) => ({ start: messageStarts[i]!, length: messageLengths[i]! }));
      yield* readPlaces(folder, file, places, (bytes, i) => {
        this.#addAt(messages, indexes[i]!, parseRecordBytes(bytes));
        return true;
      });
    }
  }

  #addAt({ agentId, file, first, isAdded }: FileMessages, index: number, record: JsonObject): void {
    if (isAdded[index] === 1) return;
    isAdded[index] = 1;
    const message = messageIn(this.#format, file, record);
    this.#analysis.addMessage(agentId, cutDeep(message) as JsonObject, first + index);
  }
}

interface FileMessages {
  readonly agentId: string;
  readonly file: SessionFile;
  readonly first: number;
  readonly isAdded: Uint8Array;
}

function messagesOf(agentId: string, files: readonly SessionFile[]): FileMessages[] {
  let first = 0;
  return files.map((file) => {
    const size = file.derived.messageStarts.length;
    first += size;
    return { agentId, file, first: first - size, isAdded: new Uint8Array(size) };
  });
}
