import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { NO_USAGE, type TokenUsage } from "../../../domain/usage/token-usage.js";
import { followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import { runsBesides, runsOf } from "../../transcripts/recorder/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { KimiRecord } from "./parts.js";

/** A step of the agent's loop is a model call. Its end or a later record reports its usage. */
export class KimiFollower implements Follower<KimiRecord> {
  readonly #out: TraceRecorder;
  #model: string | undefined;
  #step: { readonly id: string | undefined; isCall: boolean; isCounted: boolean } | undefined;
  #compacting = Number.NaN;
  #humans: number[] = [];

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  follow(stated: KimiRecord, place: LineLocation): void {
    const out = this.#out;
    const { kind, record, event, parts } = stated;
    if (stated.isMessage) out.noteMessage(place);
    const origin = out.originOf(stated.instant, place);
    out.noteDirectory(textField(record, "cwd"));
    out.start(origin);
    const isLate = parts[0]?.is === "turn end" && !origin.conversation.isTurnOpen;
    if (kind === "llm.request") this.#model = textField(record, "model") ?? this.#model;
    else if (kind === "full_compaction.begin") this.#compacting = origin.instant;
    else if (kind === "context.apply_compaction") return this.#compact(origin, record);
    else if (kind === "content.part" || kind === "tool.call") this.#call(origin);
    else if (kind === "context.append_message") {
      const { kind: by } = objectField(objectField(record, "message"), "origin");
      if (by === "user") this.#humans.push(out.messageCount - 1);
    } else if (kind === "step.begin") {
      this.#step = { id: textField(event, "uuid"), isCall: false, isCounted: false };
      out.answerTo(origin);
    } else if (kind === "step.end") this.#count(origin, event);
    else if (kind === "usage.record") this.#count(origin, record);
    followPart(out, origin, isLate ? undefined : parts[0]);
    if (kind === "content.part" || kind === "tool.call") out.markCallEnd(origin);
    if (parts[0]?.is === "text") out.say(origin);
    if (parts[0]?.is === "text" || kind.startsWith("tool.")) out.goOn(origin);
    if (kind === "step.end" && event.finishReason !== "tool_use") out.finish(origin);
  }

  #call(origin: RecordOrigin, usage: TokenUsage = NO_USAGE): void {
    this.#step ??= { id: undefined, isCall: false, isCounted: false };
    this.#step.isCall = true;
    this.#out.modelCall(origin, { messageId: this.#step.id, ...this.#reported(origin, usage) });
  }

  #reported({ place }: RecordOrigin, usage: TokenUsage) {
    return { recordId: `line ${place.line}`, model: this.#model, retainsModel: true, usage };
  }

  /** A record after a step repeats the usage of its end. Any other record reports a call outside the loop. */
  #count(origin: RecordOrigin, { usage: counts, usageScope }: JsonObject): void {
    if (!isJsonObject(counts)) return;
    const [input = 0, read = 0, write = 0, output = 0] = COUNTS.map((name) => countField(counts, name));
    const cache = { cacheReadTokens: read, cacheWriteTokens: write };
    const usage = { inputTokens: input, outputTokens: output, ...cache };
    if (COUNTS.some((name) => isOddCount(counts, name))) this.#out.noteOddCount(origin.place);
    const begin = this.#compacting || origin.instant;
    if (usageScope === "session") return this.#out.callBeside(origin, begin, this.#reported(origin, usage));
    if (this.#step === undefined || this.#step.isCounted) return;
    this.#step.isCounted = true;
    const { id, isCall } = this.#step;
    if (isCall && id !== undefined) this.#out.reportUsage(id, usage);
    else this.#call(origin, usage);
  }

  #compact(origin: RecordOrigin, record: JsonObject): void {
    const last = this.#out.messageCount - 1;
    const retained = countField(record, "keptUserMessageCount");
    this.#humans = retained === 0 ? [] : this.#humans.slice(-retained);
    const messages = runsBesides(runsOf(this.#humans), last);
    this.#out.remove(origin, { cause: "compaction", messages }, last);
    this.#out.compaction(origin, Math.max(0, origin.instant - this.#compacting) || 0);
  }
}

const COUNTS = ["inputOther", "inputCacheRead", "inputCacheCreation", "output"] as const;
