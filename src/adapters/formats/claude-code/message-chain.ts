import type { ContextRemoval, MessageRun } from "../../../domain/conversation/conversation-outline.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { runsBesides, runsOf } from "../../transcripts/recorder/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { ClaudeCompactionPart, ClaudeRecord } from "./parts.js";
import type { PreservedRecords } from "./record.js";
import { RequestChain } from "./request-chain.js";

interface RetainedMessages {
  readonly anchorId: string;
  readonly runs: readonly MessageRun[];
  /** Messages before the compaction. */
  readonly from: number;
}

/**
 * Tracks the records that remove messages from the conversation of a file. Each record names its predecessor: a prompt after an earlier
 * record removes the messages in between.
 */
export class MessageChain {
  readonly #out: TraceRecorder;
  /** Last message of each chain, by hash of the last record's id; -1 without one. */
  readonly #tips = new Map<number, number>();
  readonly #requests = new RequestChain();
  /** The last message outside of requests, and the message before it; -1 without one. */
  #last = -1;
  #before = -1;
  /** The last record has a message of the conversation. */
  #isHeld = false;
  /** Preserved messages of a compaction, until the record after which they are visible. */
  #retained: RetainedMessages | undefined;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  holds({ isMessage, sent }: ClaudeRecord): boolean {
    return isMessage && (sent === undefined || !this.#requests.isFull);
  }

  /** Call after the message of the record, if it has one. */
  add(record: ClaudeRecord, isMessage: boolean): void {
    if (!this.#out.options.retainsRows) return;
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

  follow(origin: RecordOrigin, record: ClaudeRecord): void {
    if (!this.#out.options.retainsRows) return;
    const {
      parts: [part],
      id,
      previousId,
      isAnswer,
      sent,
    } = record;
    if (id !== undefined && id === this.#retained?.anchorId) this.#anchor(origin, this.#retained);
    if (part?.is === "prompt" && part.isPrompt !== false) this.#prompt(origin, previousId);
    else if (this.#isHeld && (part?.is === "error" || sent !== undefined)) this.#hide(origin);
    else if (isAnswer) this.#answer(origin, record);
    else if (part?.is === "compaction" && part.cleared === undefined) this.#compact(origin, part);
    else if (part?.is === "compaction")
      this.#remove(origin, { cause: "micro-compaction", messages: [], toolCallIds: part.cleared! });
  }

  /** A prompt is the last message so far. Without a recorded predecessor it removes nothing. */
  #prompt(origin: RecordOrigin, previousId: ClaudeRecord["previousId"]): void {
    const tip = this.#tipOf(previousId);
    if (tip === undefined || tip >= this.#before) return;
    const own = this.#out.messageCount - 1;
    this.#remove(origin, { cause: "rewind", messages: [[tip + 1, own]] }, own);
  }

  /** Calls do not see this message: a failure in the form of an answer, or a message that only requests contain. */
  #hide(origin: RecordOrigin): void {
    const own = this.#out.messageCount - 1;
    this.#remove(origin, { cause: "request", messages: [[own, own + 1]] }, own);
  }

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
    this.#retained = isBehind ? { anchorId, runs, from: messageCount } : undefined;
  }

  /** Preserved messages are visible after the summary, although they lie before it. */
  #anchor(origin: RecordOrigin, { runs, from }: RetainedMessages): void {
    this.#retained = undefined;
    const context = [[from, this.#out.messageCount] as const, ...runs];
    this.#remove(origin, { cause: "compaction", messages: [], seen: context });
  }

  /** `undefined` for an absent record. */
  #tipOf(id: string | null | undefined): number | undefined {
    if (id === null) return -1;
    return id === undefined ? undefined : this.#tips.get(hash53(id));
  }

  #preserved({ records }: PreservedRecords): readonly MessageRun[] {
    if ("from" in records) {
      const [head, tail] = [this.#tipOf(records.from), this.#tipOf(records.to)];
      return head === undefined || tail === undefined || tail < head ? [] : [[head, tail + 1]];
    }
    const indexes = new Set(records.flatMap((id) => this.#tipOf(id) ?? []));
    return runsOf([...indexes].filter((index) => index >= 0).sort((a, b) => a - b));
  }
}
