import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { runsBesides } from "../../transcripts/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";

/**
 * What takes messages away from the conversation of a file. Each record names the one that it follows: a prompt that follows an earlier
 * one than the last takes back what lies in between.
 */
export class MessageChain {
  readonly #out: TraceRecorder;
  /** The last message of the chain that a record ends, by a hash of its `uuid`: -1 for none. */
  readonly #tips = new Map<number, number>();

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  /** Follows a record of the conversation, behind the message that it may hold. */
  follow(record: JsonObject, isMessage: boolean): void {
    const uuid = textField(record, "uuid");
    if (uuid === undefined || !this.#out.options.keepsRows) return;
    const last = this.#out.messageCount - 1;
    this.#tips.set(hash53(uuid), isMessage ? last : (this.#tipBefore(record) ?? last));
  }

  /** A prompt is the last message so far. Where nobody knows what it follows, it takes nothing back. */
  prompt(origin: RecordOrigin, record: JsonObject): void {
    const tip = this.#tipBefore(record);
    const own = this.#out.messageCount - 1;
    if (tip === undefined || tip >= own - 1) return;
    this.#out.remove(origin, { cause: "rewind", messages: [[tip + 1, own]] }, own);
  }

  compact(origin: RecordOrigin, record: JsonObject): void {
    const preserved = this.#preserved(record).map((at) => [at, at + 1] as const);
    const messages = runsBesides(preserved, this.#out.messageCount);
    this.#out.remove(origin, { cause: "compaction", messages });
  }

  clear(origin: RecordOrigin, record: JsonObject): void {
    const { compactedToolIds } = objectField(record, "microcompactMetadata");
    if (!Array.isArray(compactedToolIds)) return;
    const toolCallIds = compactedToolIds.filter((id) => typeof id === "string");
    this.#out.remove(origin, { cause: "micro-compaction", messages: [], toolCallIds });
  }

  /** `undefined` where the record before is not there. */
  #tipBefore(record: JsonObject): number | undefined {
    if (record.parentUuid === null && record.logicalParentUuid === undefined) return -1;
    const before = textField(record, "logicalParentUuid") ?? textField(record, "parentUuid");
    return before === undefined ? undefined : this.#tips.get(hash53(before));
  }

  /** The messages that a compaction left as they were, in their order. */
  #preserved(record: JsonObject): readonly number[] {
    const { preservedMessages, preservedSegment } = objectField(record, "compactMetadata");
    const indexOf = (uuid: unknown) => (typeof uuid === "string" ? this.#tips.get(hash53(uuid)) : undefined);
    if (isJsonObject(preservedMessages)) {
      const uuids = preservedMessages.allUuids ?? preservedMessages.uuids;
      const indexes = Array.isArray(uuids) ? uuids.flatMap((uuid) => indexOf(uuid) ?? []) : [];
      return [...new Set(indexes)].filter((index) => index >= 0).sort((a, b) => a - b);
    }
    const { headUuid, tailUuid } = isJsonObject(preservedSegment) ? preservedSegment : {};
    const [head, tail] = [indexOf(headUuid), indexOf(tailUuid)];
    if (head === undefined || tail === undefined) return [];
    return Array.from({ length: Math.max(0, tail - head + 1) }, (_, i) => head + i);
  }
}
