import type { ContextRemoval, MessageRun } from "../../../domain/conversation/conversation-outline.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { runsBesides, runsOf } from "../../transcripts/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import type { ClaudeCompactionPart, ClaudeRecord } from "./parts.js";
import type { PreservedRecords } from "./record.js";
import { RequestChain } from "./request-chain.js";

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
  readonly #requests = new RequestChain();
  /** The last message that is none of a request alone, and the one before it: -1 for none. */
  #last = -1;
  #before = -1;
  /** Whether the last record has a message of the conversation. */
  #isHeld = false;
  /** What a compaction left that is seen behind a record that is still to come. */
  #kept: KeptMessages | undefined;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  /** Whether the message of a record is one of the conversation. */
  holds({ isMessage, sent }: ClaudeRecord): boolean {
    return isMessage && (sent === undefined || !this.#requests.isFull);
  }

  /** Follows a record of the conversation, behind the message that it may hold. */
  add(record: ClaudeRecord, isMessage: boolean): void {
    if (!this.#out.options.keepsRows) return;
    const { id, previousId, sent, parts } = record;
    const index = this.#out.messageCount - 1;
    this.#isHeld = isMessage;
    if (sent?.is === "request") this.#requests.addRequest(sent);
    else if (sent?.is === "message" && isMessage) this.#requests.addSent(index, sent);
    else if (isMessage) {
      this.#before = this.#last;
      this.#last = index;
      if (parts[0]?.is !== "error") this.#requests.say(index, record);
    }
    if (id !== undefined)
      this.#tips.set(hash53(id), (isMessage ? undefined : this.#tipOf(previousId)) ?? this.#last);
  }

  /** What a record of the conversation itself takes away. */
  follow(origin: RecordOrigin, record: ClaudeRecord): void {
    if (!this.#out.options.keepsRows) return;
    const {
      parts: [part],
      id,
      previousId,
      isAnswer,
      sent,
    } = record;
    if (id !== undefined && id === this.#kept?.anchorId) this.#anchor(origin, this.#kept);
    if (part?.is === "prompt" && part.isAsked !== false) this.#prompt(origin, previousId);
    else if (this.#isHeld && (part?.is === "error" || sent !== undefined)) this.#hide(origin);
    else if (isAnswer) this.#answer(origin, record);
    else if (part?.is === "compaction" && part.cleared === undefined) this.#compact(origin, part);
    else if (part?.is === "compaction")
      this.#remove(origin, { cause: "micro-compaction", messages: [], toolCallIds: part.cleared! });
  }

  /** A prompt is the last message so far. Where nobody knows what it follows, it takes nothing back. */
  #prompt(origin: RecordOrigin, previousId: ClaudeRecord["previousId"]): void {
    const tip = this.#tipOf(previousId);
    if (tip === undefined || tip >= this.#before) return;
    const own = this.#out.messageCount - 1;
    this.#remove(origin, { cause: "rewind", messages: [[tip + 1, own]] }, own);
  }

  /** The last message so far is none that calls see: a failure that was written as an answer, or what only requests hold. */
  #hide(origin: RecordOrigin): void {
    const own = this.#out.messageCount - 1;
    this.#remove(origin, { cause: "request", messages: [[own, own + 1]] }, own);
  }

  /** An answer saw what its request held, where that is known. */
  #answer(origin: RecordOrigin, { requestId }: ClaudeRecord): void {
    const answered = this.#requests.answer(requestId);
    if (answered === undefined) return;
    const { change, at, isRecorded } = answered;
    if (change !== undefined) this.#remove(origin, { cause: "request", ...change }, at);
    if (isRecorded) this.#out.noteRequest();
  }

  #remove(
    origin: RecordOrigin,
    removal: Omit<ContextRemoval, "at" | "timestamp">,
    at: number = this.#out.messageCount,
  ): void {
    this.#out.remove(origin, removal, at);
    this.#requests.apply({ at, ...removal });
  }

  #compact(origin: RecordOrigin, { preserved }: ClaudeCompactionPart): void {
    const { messageCount } = this.#out;
    const runs = this.#preserved(preserved);
    this.#remove(origin, { cause: "compaction", messages: runsBesides(runs, messageCount) });
    const { anchorId } = preserved;
    const isBehind = anchorId !== undefined && runs.length > 0 && this.#tipOf(anchorId) === undefined;
    this.#kept = isBehind ? { anchorId, runs, from: messageCount } : undefined;
  }

  /** What a compaction left is seen behind its summary, although it lies before it. */
  #anchor(origin: RecordOrigin, { runs, from }: KeptMessages): void {
    this.#kept = undefined;
    const seen = [[from, this.#out.messageCount] as const, ...runs];
    this.#remove(origin, { cause: "compaction", messages: [], seen });
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
    return runsOf([...indexes].filter((index) => index >= 0).sort((a, b) => a - b));
  }
}
