import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import { FIRST, followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { PiRecord } from "./parts.js";

export class PiFollower implements Follower<PiRecord> {
  readonly #out: TraceRecorder;
  #model: string | undefined;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  passCopy(record: PiRecord, place: LineLocation): void {
    this.#out.noteBranch(record, place);
    this.#model = record.model ?? this.#model;
    for (const part of record.parts) if (part.is === "title") this.#out.noteTitles(part.titles);
  }

  follow(record: PiRecord, place: LineLocation): void {
    const out = this.#out;
    if (out.passRepeated(record, place)) return;
    const dropped = out.noteBranch(record, place);
    const origin = out.originOf(record.instant, place);
    out.start(origin);
    out.noteDirectory(record.directory);
    this.#model = record.model ?? this.#model;
    const call = record.call();
    if (call !== undefined) this.#call(origin, record, call);
    if (record.isAnswer) return this.#answer(origin, record);
    const [part] = record.parts;
    if (part?.is === "rewind") return out.rewind(origin, FIRST, dropped);
    followPart(out, origin, part);
    if (part?.is === "result" || record.editedId !== undefined) out.goOn(origin);
    if (part?.is === "result" || part?.is === "compaction") out.answerTo(origin);
  }

  /** The selected model counts if the entry names none. A call without an answer ends with its entry. */
  #call(origin: RecordOrigin, { requestedAt, isAnswer }: PiRecord, call: ReportedCall): void {
    const out = this.#out;
    if (requestedAt !== undefined) out.answerTo({ ...origin, instant: requestedAt });
    out.modelCall(origin, { ...call, model: call.model ?? this.#model, retainsModel: true });
    if (isAnswer) return;
    out.markCallEnd(origin);
    out.endCall(origin.conversation);
  }

  #answer(origin: RecordOrigin, { parts }: PiRecord): void {
    const out = this.#out;
    const [first] = parts;
    const isEnd = first?.is === "error" || first?.is === "turn end";
    for (const [at, part] of parts.entries())
      if (part.is !== "rewind" && !(isEnd && at === 0))
        followPart(out, origin, part, { isMain: at === 0, part: at });
    out.markCallEnd(origin);
    if (isEnd || first === undefined) return followPart(out, origin, first);
    if (parts.some(({ is }) => is === "text")) out.say(origin);
    out.goOn(origin);
    if (!parts.some(({ is }) => is === "call")) out.finish(origin);
  }
}
