import { hash53 } from "../../../domain/text/fingerprints.js";
import { validInstant } from "../../transcripts/recorder/conversation-state.js";
import { FIRST, followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { OpenCodeRecord } from "./parts.js";
import type { OpenCodePart, RewindPart } from "./tool-parts.js";

/** Each message is complete with its text, tools and results. */
export class OpenCodeFollower implements Follower<OpenCodeRecord> {
  readonly #out: TraceRecorder;
  readonly #places = new Map<number, number>();
  #request: { readonly at: number; readonly retainedFrom: string | undefined } | undefined;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  passCopy(record: OpenCodeRecord, place: LineLocation): void {
    this.#noteMessage(record, place);
  }

  follow(record: OpenCodeRecord, place: LineLocation): void {
    const out = this.#out;
    this.#noteMessage(record, place);
    const origin = out.originOf(record.instant, place);
    out.noteDirectory(record.directory);
    out.start(origin);
    if (record.role === "assistant") this.#answer(origin, record);
    else {
      const [part] = record.parts;
      // The titles of sub-agents are their tasks.
      const isAgents = part?.is === "title" && out.options.agentId !== "";
      const isLate = part?.is === "turn end" && !origin.conversation.isTurnOpen;
      if (part?.is === "rewind") this.#rewind(origin, part);
      else followPart(out, origin, isAgents || isLate ? undefined : part);
    }
  }

  #rewind(origin: RecordOrigin, { messageId, retainsMessage }: RewindPart): void {
    const out = this.#out;
    const { messageCount } = out;
    const from = (this.#places.get(hash53(messageId)) ?? messageCount) + (retainsMessage ? 1 : 0);
    const dropped = Math.max(0, messageCount - from);
    out.rewind(origin, FIRST, dropped);
    if (dropped > 0) out.remove(origin, { cause: "rewind", messages: [[from, messageCount]] });
  }

  /** A copied message removes what its original removed. */
  #noteMessage(record: OpenCodeRecord, place: LineLocation): void {
    if (!record.isMessage) return;
    const out = this.#out;
    const { id, instant = Number.NaN, compaction, retainedFrom } = record;
    const at = out.messageCount;
    if (id !== undefined && out.options.retainsRows) this.#places.set(hash53(id), at);
    out.noteMessage(place);
    if (record.isUnsent) out.remove({ instant }, { cause: "request", messages: [[at, at + 1]] }, at);
    if (compaction === "request") this.#request = { at, retainedFrom };
    if (compaction === "summary") this.#compact({ instant }, at);
  }

  #compact(origin: Pick<RecordOrigin, "instant">, at: number): void {
    const { at: requestedAt = at, retainedFrom } = this.#request ?? {};
    this.#request = undefined;
    const to = this.#places.get(hash53(retainedFrom ?? "")) ?? requestedAt;
    if (to > 0) this.#out.remove(origin, { cause: "compaction", messages: [[0, Math.min(to, requestedAt)]] });
  }

  #answer(begun: RecordOrigin, record: OpenCodeRecord): void {
    const out = this.#out;
    const { parts, call, answeredAt, completedAt, instant } = record;
    const { place } = begun;
    const origin = call === undefined ? begun : out.originOf(notBefore(answeredAt, instant), place);
    if (call !== undefined) {
      out.answerTo(begun);
      out.modelCall(origin, call);
    }
    const [end] = parts;
    const isEnded = end?.is === "error" || (end?.is === "turn end" && begun.conversation.isTurnOpen);
    let rows = isEnded ? 1 : 0;
    for (const [part, one] of parts.entries()) {
      if (one.is === "rewind" || one.is === "turn end" || one.is === "error") continue;
      if (one.is === "call") out.markCallEnd(origin);
      followPart(out, this.#originOf(origin, one), one, { isMain: rows++ === 0, part });
      if (one.is === "result") out.answerTo(origin);
    }
    if (call !== undefined) out.markCallEnd(origin);
    if (rows === 0) out.passThrough(origin);
    const ended = out.originOf(notBefore(completedAt, origin.instant), place);
    if (record.saysText) out.say(ended);
    if (isEnded) return followPart(out, ended, end);
    // A command of the user, or a summary, is not part of the prompt.
    if (call === undefined || record.compaction !== undefined) return;
    out.goOn(ended);
    if (record.isLast) out.finish(ended);
  }

  #originOf(origin: RecordOrigin, { is, times }: OpenCodePart): RecordOrigin {
    const { begin, end } = times ?? {};
    if (is === "call") return { ...origin, instant: begin ?? end ?? origin.instant };
    if (is !== "result") return origin;
    return this.#out.originOf(notBefore(end ?? validInstant(origin.instant), begin), origin.place);
  }
}

function notBefore(instant: number | undefined, other: number | undefined): number | undefined {
  if (instant === undefined || other === undefined || Number.isNaN(other)) return instant;
  return Math.max(instant, other);
}
