import { NO_USAGE } from "../../../domain/usage/token-usage.js";
import { FIRST, followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import type { CommonPart } from "../../transcripts/recorder/parts.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { QwenRecord } from "./parts.js";
import type { Telemetry } from "./telemetry.js";

interface ReportedTokens {
  readonly origin: RecordOrigin;
  readonly telemetry: Telemetry;
}

/**
 * Answers report model calls, and telemetry before them repeats these. Telemetry without an answer counts separately: the call failed, or
 * was made outside the conversation.
 */
export class QwenFollower implements Follower<QwenRecord> {
  readonly #out: TraceRecorder;
  #open: ReportedTokens[] = [];
  #callId: string | undefined;
  #side: Telemetry | undefined;
  readonly #ended = new Map<string, number>();
  readonly #named = new Map<string, number>();

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  passCopy(record: QwenRecord, place: LineLocation): void {
    this.#out.noteBranch(record, place);
  }

  follow(record: QwenRecord, place: LineLocation): void {
    const out = this.#out;
    const { telemetry, parts } = record;
    if (out.passRepeated(record, place)) return;
    const origin = out.originOf(record.instant, place);
    out.noteDirectory(record.directory);
    out.start(origin);
    const dropped = out.noteBranch(record, place);
    if (telemetry !== undefined) return this.#hear(origin, record, telemetry);
    if (record.isAnswer) return this.#answer(origin, record);
    if (parts.length === 0) return followPart(out, origin, undefined);
    if (parts[0]?.is !== "title") this.#endAnswer();
    switch (parts.at(-1)?.is) {
      case "rewind":
        return this.#rewind(origin, dropped);
      case "compaction":
        return this.#compact(origin);
      case "turn end":
        if (!origin.conversation.isTurnOpen) return followPart(out, origin, undefined);
    }
    this.#take(origin, record);
  }

  #take(origin: RecordOrigin, { parts }: QwenRecord): void {
    let givesResults = false;
    for (const [part, one] of (parts as readonly CommonPart[]).entries()) {
      const ended = one.is === "result" ? this.#ended.get(one.toolCallId) : undefined;
      if (one.is === "result") this.#ended.delete(one.toolCallId);
      if (one.is === "result") givesResults = true;
      const at = ended === undefined ? origin : { ...origin, instant: ended };
      followPart(this.#out, at, one, { isMain: part === 0, part });
    }
    if (!givesResults) return;
    this.#out.goOn(origin);
    this.#out.answerTo(origin);
  }

  #hear(origin: RecordOrigin, record: QwenRecord, telemetry: Telemetry): void {
    const out = this.#out;
    const [part] = record.parts as readonly CommonPart[];
    followPart(out, origin, part);
    const { is, agentId, toolCallId, end } = telemetry;
    if (is === "tool" && agentId === undefined && toolCallId !== undefined && end !== undefined)
      this.#ended.set(toolCallId, end);
    if (is !== "response") return;
    if (agentId !== undefined) {
      const conversation = out.conversations.of(agentId, true);
      const ofAgent = out.originOf(record.instant, origin.place, { conversation, isInner: true });
      out.start(ofAgent);
      this.#show({ origin: ofAgent, telemetry });
      out.finish(ofAgent);
    } else if (telemetry.isSide) {
      this.#side = telemetry;
      this.#show({ origin, telemetry });
    } else this.#open.push({ origin, telemetry });
  }

  #show({ origin, telemetry }: ReportedTokens): void {
    const out = this.#out;
    const { place, instant } = origin;
    const { model, spent, begin = instant } = telemetry;
    const name = telemetry.promptId ?? `line ${place.line}`;
    const count = (this.#named.get(name) ?? 0) + 1;
    this.#named.set(name, count);
    const recordId = count === 1 ? name : `${name} (${count})`;
    out.callBeside(origin, begin, { recordId, model, ...spent });
  }

  #endAnswer(): void {
    this.#callId = undefined;
    for (const call of this.#open.splice(0)) this.#show(call);
  }

  #answer(origin: RecordOrigin, record: QwenRecord): void {
    const out = this.#out;
    const { id, model, spent, parts } = record;
    const telemetry = this.#telemetryOf(record);
    if (spent !== undefined || telemetry !== undefined || this.#callId === undefined) this.#callId = id;
    if (telemetry?.begin !== undefined) out.answerTo({ ...origin, instant: telemetry.begin });
    out.modelCall(origin, {
      messageId: this.#callId,
      recordId: id ?? `line ${origin.place.line}`,
      model: model ?? telemetry?.model,
      ...(spent ?? telemetry?.spent ?? { usage: NO_USAGE }),
    });
    if (parts.length === 0) {
      out.markCallEnd(origin);
      followPart(out, origin, undefined);
    }
    for (const [part, one] of (parts as readonly CommonPart[]).entries())
      followPart(out, origin, one, part === 0 ? FIRST : { isMain: false, part });
    out.markCallEnd(origin);
    const saysText = parts.some((part) => part.is === "text" && part.text !== undefined);
    if (saysText) out.say(origin);
    out.goOn(origin);
    if (saysText && !parts.some(({ is }) => is === "call")) out.finish(origin);
  }

  /** The call with the same counts, else the newest. Earlier calls had no answer. */
  #telemetryOf({ spent }: QwenRecord): Telemetry | undefined {
    const isSame = ({ telemetry }: ReportedTokens) =>
      JSON.stringify(telemetry.spent.usage) === JSON.stringify(spent?.usage);
    const same = this.#open.findLastIndex(isSame);
    const [call] = this.#open.splice(same, 1);
    if (call !== undefined) this.#endAnswer();
    return call?.telemetry;
  }

  #rewind(origin: RecordOrigin, dropped: number): void {
    const { isTurnOpen, isFinished } = origin.conversation;
    const endsTurn = isTurnOpen && !isFinished;
    if (endsTurn) this.#out.endTurn(origin, "cancelled");
    this.#out.rewind(origin, { isMain: !endsTurn, part: 1 }, dropped);
  }

  #compact(origin: RecordOrigin): void {
    const begin = this.#side?.promptId?.startsWith("compress") ? this.#side.begin : undefined;
    this.#side = undefined;
    this.#out.compaction(origin, begin === undefined ? 0 : Math.max(0, origin.instant - begin));
  }
}
