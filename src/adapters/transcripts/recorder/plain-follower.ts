import { totalTokens } from "../../../domain/usage/token-usage.js";
import type { ReportedCall } from "./calls.js";
import { followPart } from "./follow-part.js";
import type { Follower } from "./follower.js";
import type { CommonPart, RecordParts } from "./parts.js";
import type { TraceRecorder } from "./trace-recorder.js";
import type { LineLocation } from "./trace-rows.js";

export interface PlainRecord extends RecordParts<CommonPart> {
  readonly call?: ReportedCall | undefined;
  readonly directory?: string | undefined;
}

/** For histories with one conversation per file, and records in the order of events, each written once. */
export class PlainFollower implements Follower<PlainRecord> {
  readonly #out: TraceRecorder;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  follow(record: PlainRecord, place: LineLocation): void {
    const out = this.#out;
    const { parts, call, isMessage } = record;
    if (isMessage) out.noteMessage(place, record.id);
    const isRepeated = out.isRepeated(record.id);
    const origin = out.originOf(record.instant, place, { isRepeated });
    out.noteDirectory(record.directory);
    out.start(origin);
    // A record without content is a call only if it counts tokens.
    const isCall = call !== undefined && (parts.length > 0 || totalTokens(call.usage) > 0);
    if (isRepeated || (parts.length === 0 && !isCall)) return out.passThrough(origin);
    if (isCall) out.modelCall(origin, call);
    if (parts.length === 0) out.passThrough(origin);
    for (const [part, one] of parts.entries()) {
      followPart(out, origin, one, { isMain: part === 0, part });
      if (one.is === "result") out.answerTo(origin);
    }
    if (call === undefined) return;
    out.markCallEnd(origin);
    out.goOn(origin);
    const saysText = parts.some(({ is }) => is === "text");
    if (saysText) out.say(origin);
    if (saysText && !parts.some(({ is }) => is === "call")) out.finish(origin);
  }
}
