import type { MessageRun } from "../../../domain/conversation/conversation-outline.js";
import { followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import { runsBesides } from "../../transcripts/recorder/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { InspectCall } from "./model-calls.js";
import type { InspectRecord } from "./parts.js";

const UNASKED = { is: "prompt", prompt: undefined, isPrompt: false } as const;

export class InspectFollower implements Follower<InspectRecord> {
  readonly #out: TraceRecorder;
  readonly #prompts = new Set<string>();
  #request = "[[],[]]";

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  follow(record: InspectRecord, place: LineLocation): void {
    const out = this.#out;
    const { agent, parts, call, role: recordedRole } = record;
    const conversation = agent === "" ? out.conversations.main : out.conversations.of(agent);
    if (record.isMessage && agent !== "") out.noteMessageOf(conversation, place);
    else if (record.isMessage) out.noteMessage(place);
    const origin = out.originOf(record.instant, place, { conversation });
    out.start(origin);
    if (call !== undefined) return this.#answer(origin, record, call);
    // The first words of a user are the prompt; later ones are a solver's.
    if (recordedRole === "user" && this.#prompts.has(agent)) {
      out.answerTo(origin);
      return out.block(origin, { isMain: true, part: 1 });
    }
    if (recordedRole === "user") this.#prompts.add(agent);
    const [part] = parts;
    if (recordedRole === "user") followPart(out, origin, part);
    else this.#show(origin, record);
    if (part?.is === "result" || recordedRole !== undefined) out.answerTo(origin);
  }

  #answer(begun: RecordOrigin, record: InspectRecord, call: InspectCall): void {
    const out = this.#out;
    const { conversation, place } = begun;
    if (!conversation.isTurnOpen) out.beginTurn(begun, UNASKED, false);
    out.answerTo(begun);
    const origin = out.originOf(call.completedAt, place, { conversation });
    if (conversation === out.conversations.main && record.isMessage) this.#noteRequest(begun, call.context);
    out.modelCall(origin, call);
    this.#show(origin, record);
    out.markCallEnd(origin);
    if (record.parts.some(({ is }) => is === "error")) return;
    if (record.text() !== "") out.say(origin);
    out.answerTo(origin);
    out.finish(origin);
  }

  #noteRequest(origin: RecordOrigin, context: readonly MessageRun[]): void {
    const out = this.#out;
    if (!out.options.retainsRows) return;
    const last = out.messageCount - 1;
    const messages = runsBesides(
      [...context].sort(([a], [b]) => a - b),
      last,
    );
    const isInOrder = context.every(([from], i) => i === 0 || from >= context[i - 1]![1]);
    const request = JSON.stringify([messages, isInOrder ? [] : context]);
    out.noteRequest();
    if (request === this.#request) return;
    this.#request = request;
    out.remove(origin, { cause: "request", messages, seen: context }, last);
  }

  #show(origin: RecordOrigin, { parts }: InspectRecord): void {
    for (const [part, one] of parts.entries())
      followPart(this.#out, origin, one, { isMain: part === 0, part });
    if (parts.length === 0) this.#out.passThrough(origin);
  }
}
