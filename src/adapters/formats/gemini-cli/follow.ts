import { hash53 } from "../../../domain/text/fingerprints.js";
import { followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import { runsBesides, runsOf } from "../../transcripts/recorder/message-places.js";
import type { CommonPart } from "../../transcripts/recorder/parts.js";
import type { PartLocation, RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { GeminiPart, GeminiRecord } from "./parts.js";

interface FollowedMessage {
  blocks: number | undefined;
  tokens: number | undefined;
  isCall: boolean;
}

interface Replacement {
  readonly origin: RecordOrigin;
  readonly order: number[];
  readonly changed: number[];
}

export class GeminiFollower implements Follower<GeminiRecord> {
  readonly #out: TraceRecorder;
  readonly #context = new Map<number, FollowedMessage>();
  readonly #tools = new Map<number, boolean>();
  readonly #results = new Map<number, number>();
  #replacement: Replacement | undefined;
  #live: number[] = [];
  readonly #places = new Map<number, { readonly first: number; last: number }>();

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  follow(record: GeminiRecord, place: LineLocation): void {
    const out = this.#out;
    if (!place.isNested) this.#endReplacement();
    const id = record.isTyped ? record.id : undefined;
    const key = id === undefined ? undefined : hash53(id);
    const before = key === undefined ? undefined : this.#context.get(key);
    if (key !== undefined && (before === undefined || place.isNested)) this.#live.push(key);
    // The replacement of all messages repeats most of them.
    if (place.isNested && before !== undefined) return this.#repeat(key!, record, place);
    if (key !== undefined && record.isMessage) this.#notePlace(key);
    if (record.isMessage) this.#replacement?.order.push(out.messageCount);
    if (record.isMessage) out.noteMessage(place, id);
    const isFirst = Number.isNaN(out.conversations.main.firstInstant);
    const isRepeated = before !== undefined;
    const origin = out.originOf(isFirst ? record.begunAt : record.instant, place, { isRepeated });
    out.start(origin);
    const message = before ?? { blocks: undefined, tokens: undefined, isCall: false };
    if (key !== undefined) this.#context.set(key, message);
    if (record.isAnswer) return this.#answer(origin, record, message);
    if (isRepeated) return out.passThrough(origin);
    if (!record.isTyped) return this.#session(origin, record.parts);
    const [part] = record.parts as readonly (CommonPart | undefined)[];
    if (part?.is === "compaction") this.#compact(origin);
    const isLate = part?.is === "turn end" && !origin.conversation.isTurnOpen;
    followPart(out, origin, isLate ? undefined : part);
  }

  #notePlace(key: number): void {
    const { messageCount } = this.#out;
    const place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, { first: messageCount, last: messageCount });
    else place.last = messageCount;
  }

  #repeat(key: number, { parts }: GeminiRecord, place: LineLocation): void {
    const existing = this.#places.get(key);
    if (existing === undefined) return;
    const isChanged = parts.some((part) => {
      const result = part.is === "result" ? this.#results.get(hash53(part.toolCallId)) : undefined;
      return result !== undefined && part.is === "result" && result !== hash53(part.result().text);
    });
    if (isChanged) {
      this.#replacement?.changed.push(existing.last);
      existing.last = this.#out.messageCount;
      this.#out.noteMessage(place);
    }
    this.#replacement?.order.push(existing.last);
  }

  #endReplacement(): void {
    if (this.#replacement === undefined) return;
    const { origin, order, changed } = this.#replacement;
    this.#replacement = undefined;
    if (changed.length === 0 && order.every((index, i) => i === 0 || index > order[i - 1]!)) return;
    this.#out.remove(origin, { cause: "compaction", messages: runsOf(changed), seen: runsOf(order) });
  }

  /** The summary is the last message. A replacement of all messages lists the remaining ones itself. */
  #compact(origin: RecordOrigin): void {
    const last = this.#out.messageCount - 1;
    this.#out.answerTo(origin);
    if (!origin.place.isNested)
      this.#out.remove(origin, { cause: "compaction", messages: [[0, last]] }, last);
  }

  #replace(origin: RecordOrigin, messageIds: readonly string[]): void {
    const places = messageIds.flatMap((id) => this.#places.get(hash53(id))?.last ?? []);
    const retained = runsOf(places.sort((a, b) => a - b));
    const messages = runsBesides(retained, this.#out.messageCount);
    this.#live = [];
    this.#replacement = { origin, order: [], changed: [] };
    if (messages.length > 0) this.#out.remove(origin, { cause: "compaction", messages });
  }

  #session(origin: RecordOrigin, parts: readonly GeminiPart[]): void {
    for (const [at, part] of parts.entries()) {
      if (part.is === "title") this.#out.noteTitles(part.titles);
      else if (part.is === "replacement") this.#replace(origin, part.messageIds);
      else if (part.is === "rewind") return this.#rewind(origin, part.messageId, at);
    }
    this.#out.passThrough(origin);
  }

  #rewind(origin: RecordOrigin, messageId: string, part: number): void {
    const first = Math.max(0, this.#live.lastIndexOf(hash53(messageId)));
    const dropped = this.#live.splice(first);
    const from = this.#places.get(dropped[0] ?? -1)?.first ?? this.#out.messageCount;
    this.#out.remove(origin, { cause: "rewind", messages: [[from, this.#out.messageCount]] });
    const { isTurnOpen, isFinished } = origin.conversation;
    const endsTurn = isTurnOpen && !isFinished;
    if (endsTurn) this.#out.endTurn(origin, "cancelled", part - 1);
    this.#out.rewind(origin, { isMain: !endsTurn, part }, dropped.length);
  }

  /** An answer is written first with its texts, then its tokens, then its tools as they end. Adds only new parts. */
  #answer(origin: RecordOrigin, record: GeminiRecord, message: FollowedMessage): void {
    const out = this.#out;
    const { parts } = record;
    const blocks = record.blocksKey() ?? message.blocks;
    const tokens = record.tokensKey() ?? message.tokens;
    const hasNewBlocks = blocks !== message.blocks;
    const isNewer = !message.isCall || hasNewBlocks || tokens !== message.tokens;
    const call = isNewer ? record.call() : undefined;
    Object.assign(message, { blocks, tokens, isCall: message.isCall || call !== undefined });
    if (call !== undefined) out.modelCall(origin, call);
    let rows = 0;
    let hasCalls = false;
    for (const [at, part] of parts.entries()) {
      if (part.is === "call" || part.is === "result") hasCalls = true;
      else if (hasNewBlocks) out.block(origin, { isMain: rows++ === 0, part: at });
    }
    if (call !== undefined) out.markCallEnd(origin);
    for (const [part, one] of parts.entries()) {
      if (this.#takeTool(origin, one, { isMain: rows === 0, part })) rows++;
    }
    if (rows === 0) out.passThrough(origin);
    if (rows === 0 && call === undefined) return;
    if (record.saysText) out.say(origin);
    out.goOn(origin);
    if (record.saysText && !hasCalls) out.finish(origin);
  }

  /** @returns true for a new beginning or end of a call */
  #takeTool(origin: RecordOrigin, part: GeminiPart, at: PartLocation): boolean {
    if (part.is === "call") {
      const key = hash53(part.toolCallId);
      if (this.#tools.has(key)) return false;
      this.#tools.set(key, false);
      this.#out.beginTool({ ...origin, instant: part.times(origin.instant).begin }, part, at);
      return true;
    }
    if (part.is !== "result" || !part.isEnded) return false;
    const key = hash53(part.toolCallId);
    if (this.#tools.get(key) !== false) return false;
    this.#tools.set(key, true);
    if (this.#out.options.retainsRows) this.#results.set(key, hash53(part.result().text));
    const { place, isRepeated } = origin;
    const ended = this.#out.originOf(part.times(origin.instant).end, place, { isRepeated });
    this.#out.endTool(ended, part, at);
    this.#out.answerTo(ended);
    return true;
  }
}
