import type { MessageRun } from "../../../domain/conversation/conversation-outline.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { runsBesides } from "../../transcripts/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import type { ClaudeCompactionPart, ClaudeRecord } from "./parts.js";
import type { PreservedRecords } from "./record.js";

interface KeptMessages {
  readonly anchorId: string;
  readonly runs: readonly MessageRun[];
  /** How many messages lay before the compaction. */
  readonly from: number;
}

/**
 * What takes messages away from the conversation of a file. Each record names the one that it follows: a prompt that follows an earlier
 * one than the last takes back what lies in between.
 */
export class MessageChain {
  readonly #out: TraceRecorder;
  /** The last message of the chain that a record ends, by a hash of its id: -1 for none. */
  readonly #tips = new Map<number, number>();
  /** What a compaction left that is seen behind a record that is still to come. */
  #kept: KeptMessages | undefined;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  /** Follows a record of the conversation, behind the message that it may hold. */
  add({ id, previousId }: ClaudeRecord, isMessage: boolean): void {
    if (id === undefined || !this.#out.options.keepsRows) return;
    const last = this.#out.messageCount - 1;
    this.#tips.set(hash53(id), isMessage ? last : (this.#tipOf(previousId) ?? last));
  }

  /** What a record of the conversation itself takes away. */
  follow(origin: RecordOrigin, { parts: [part], id, previousId, isMessage }: ClaudeRecord): void {
    if (id !== undefined && id === this.#kept?.anchorId) this.#anchor(origin, this.#kept);
    if (part?.is === "prompt" && part.isAsked !== false) this.#prompt(origin, previousId);
    else if (part?.is === "error" && isMessage) this.#refuse(origin);
    else if (part?.is === "compaction" && part.cleared === undefined) this.#compact(origin, part);
    else if (part?.is === "compaction")
      this.#out.remove(origin, { cause: "micro-compaction", messages: [], toolCallIds: part.cleared! });
  }

  /** A prompt is the last message so far. Where nobody knows what it follows, it takes nothing back. */
  #prompt(origin: RecordOrigin, previousId: ClaudeRecord["previousId"]): void {
    const tip = this.#tipOf(previousId);
    const own = this.#out.messageCount - 1;
    if (tip === undefined || tip >= own - 1) return;
    this.#out.remove(origin, { cause: "rewind", messages: [[tip + 1, own]] }, own);
  }

  /** A failure that was written as an answer is the last message so far: no request holds it. */
  #refuse(origin: RecordOrigin): void {
    const { messageCount } = this.#out;
    this.#out.remove(origin, { cause: "request", messages: [[messageCount - 1, messageCount]] });
  }

  #compact(origin: RecordOrigin, { preserved }: ClaudeCompactionPart): void {
    const { messageCount } = this.#out;
    const runs = this.#preserved(preserved);
    this.#out.remove(origin, { cause: "compaction", messages: runsBesides(runs, messageCount) });
    const { anchorId } = preserved;
    const isBehind = anchorId !== undefined && runs.length > 0 && this.#tipOf(anchorId) === undefined;
    this.#kept = isBehind ? { anchorId, runs, from: messageCount } : undefined;
  }

  /** What a compaction left is seen behind its summary, although it lies before it. */
  #anchor(origin: RecordOrigin, { runs, from }: KeptMessages): void {
    this.#kept = undefined;
    const seen = [[from, this.#out.messageCount] as const, ...runs];
    this.#out.remove(origin, { cause: "compaction", messages: [], seen });
  }

  /** `undefined` where the record is not there. */
  #tipOf(id: string | null | undefined): number | undefined {
    if (id === null) return -1;
    return id === undefined ? undefined : this.#tips.get(hash53(id));
  }

  /** The messages that a compaction left as they were, in their order. */
  #preserved({ records }: PreservedRecords): readonly MessageRun[] {
    if ("from" in records) {
      const [head, tail] = [this.#tipOf(records.from), this.#tipOf(records.to)];
      return head === undefined || tail === undefined || tail < head ? [] : [[head, tail + 1]];
    }
    const indexes = new Set(records.flatMap((id) => this.#tipOf(id) ?? []));
    return [...indexes]
      .filter((index) => index >= 0)
      .sort((a, b) => a - b)
      .map((index) => [index, index + 1]);
  }
}
