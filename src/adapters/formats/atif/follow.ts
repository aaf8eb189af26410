import type { ConversationState } from "../../transcripts/recorder/conversation-state.js";
import { followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { AtifPart, AtifRecord } from "./parts.js";
import { statesSum, sumOf, type Totals } from "./record.js";

const UNASKED = { is: "prompt", prompt: undefined, isPrompt: false } as const;

/** Covers embedded trajectories, too. */
export class AtifFollower implements Follower<AtifRecord> {
  readonly #out: TraceRecorder;
  /** Only during the steps of an embedded trajectory. */
  #embedded: ConversationState | undefined;
  /** By conversation: steps name another model, or none. */
  readonly #models = new Map<number, string>();
  /** True after the first report that the session's conversation has no times. */
  #saysUntimed: boolean;
  #sum: Totals = sumOf([]);

  constructor(out: TraceRecorder) {
    this.#out = out;
    this.#saysUntimed = out.options.agentId !== "";
  }

  follow(record: AtifRecord, place: LineLocation): void {
    const out = this.#out;
    if (!place.isNested) this.#embedded = undefined;
    else if (record.source === undefined) {
      const agentId = record.trajectoryId ?? `${out.options.agentId}#${out.conversations.list.length}`;
      this.#embedded = out.conversations.of(agentId);
    }
    const conversation = this.#embedded ?? out.conversations.main;
    if (record.isCopied && out.options.isContinued) return out.noteReplay(place);
    if (record.isMessage && this.#embedded !== undefined) out.noteMessageOf(conversation, place);
    else if (record.isMessage) out.noteMessage(place);
    const origin = out.originOf(record.instant, place, { conversation });
    out.noteDirectory(record.directory);
    out.start(origin);
    if (record.source !== undefined && !record.isCopied && this.#embedded === undefined)
      this.#sum = sumOf([this.#sum, record.totals]);
    if (record.source === undefined) this.#trajectory(origin, record);
    else if (record.source === "agent" && !record.isCopied) this.#answer(origin, record);
    else this.#addInput(origin, record);
  }

  #trajectory(origin: RecordOrigin, { parts, agentModel }: AtifRecord): void {
    const { conversation } = origin;
    if (agentModel !== undefined) this.#models.set(conversation.ordinal, agentModel);
    let part = 0;
    for (const [at, one] of parts.entries()) {
      if (one.is === "title" && this.#embedded === undefined) this.#out.noteTitles(one.titles);
      // The steps of an embedded trajectory come later.
      if (one.is !== "totals" || this.#embedded !== undefined) continue;
      const isSame =
        statesSum(one.stated, this.#sum) || statesSum(one.stated, sumOf([this.#sum, one.within]));
      if (!isSame) part = at;
    }
    this.#out.block(origin, { isMain: true, part });
  }

  #addInput(origin: RecordOrigin, { parts, isCopied }: AtifRecord): void {
    this.#out.answerTo(origin);
    if (parts[0]?.is === "compaction") this.#compact(origin);
    this.#show(origin, parts, isCopied);
  }

  #compact(origin: RecordOrigin): void {
    const last = this.#out.messageCount - 1;
    if (this.#embedded !== undefined || last === 0) return;
    this.#out.remove(origin, { cause: "compaction", messages: [[0, last]] }, last);
  }

  /** A document is complete: nothing is awaited after a step. */
  #answer(origin: RecordOrigin, { parts, call, spawned, text }: AtifRecord): void {
    const out = this.#out;
    const { conversation, place } = origin;
    if (!conversation.isTurnOpen) out.beginTurn(origin, UNASKED, false);
    if (call !== undefined) {
      // Elements of an embedded trajectory have the number of the surrounding record.
      const recordId = `line ${place.line}${place.isNested ? ` byte ${place.start}` : ""}`;
      const model = call.model ?? this.#models.get(conversation.ordinal);
      out.modelCall(origin, { ...call, recordId, model, retainsModel: call.model === undefined });
    }
    this.#show(origin, parts, false);
    if (call !== undefined) out.markCallEnd(origin);
    for (const { agentId, toolCallId } of spawned) out.tools.link(agentId, toolCallId);
    if (text() !== "") out.say(origin);
    out.answerTo(origin);
    out.finish(origin);
  }

  #show(origin: RecordOrigin, parts: readonly AtifPart[], isCopied: boolean): void {
    const out = this.#out;
    let isMain = true;
    for (const [part, one] of parts.entries()) {
      if (one.is === "trajectory" || one.is === "totals" || one.is === "untimed") continue;
      if (isCopied) out.block(origin, { isMain, part });
      else followPart(out, origin, one, { isMain, part });
      isMain = false;
    }
    if (isMain) out.passThrough(origin);
    if (this.#saysUntimed || !Number.isNaN(origin.instant) || parts.at(-1)?.is !== "untimed") return;
    this.#saysUntimed = true;
    out.block(origin, { isMain: false, part: parts.length - 1 });
  }
}
