import type { ReportedCall } from "./calls.js";
import { followPart } from "./follow-part.js";
import type { Follower } from "./format.js";
import type { CommonPart, RecordParts } from "./parts.js";
import type { TraceRecorder } from "./trace-recorder.js";
import type { LineLocation } from "./trace-rows.js";

/** A record of a history with self-contained records: a prompt, a complete answer, results, an error. */
export interface PlainRecord extends RecordParts<CommonPart> {
  /** The model call that it answers. Default is no call. */
  readonly call?: ReportedCall | undefined;
  /** The folder that was worked in, where the record names it. Default is that it does not. */
  readonly directory?: string | undefined;
}

/** Follows histories with one conversation per file, whose records are written once, in the order of events. */
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
    if (isRepeated || parts.length === 0) return out.passThrough(origin);
    if (call !== undefined) out.modelCall(origin, call);
    for (const [part, one] of parts.entries()) {
      followPart(out, origin, one, { isMain: part === 0, part });
      if (one.is === "result") out.answerTo(origin);
    }
    if (call === undefined) return;
    out.markCallEnd(origin);
    out.goOn(origin);
    const saysText = parts.some(({ is }) => is === "text");
    if (saysText) out.say(origin);
    // An answer without calls is waited for by nobody.
    if (saysText && !parts.some(({ is }) => is === "call")) out.finish(origin);
  }
}
