import type { MessageRun } from "../../../domain/conversation/conversation-outline.js";
import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import { type ConversationState, validInstant } from "../../transcripts/recorder/conversation-state.js";
import { FIRST, followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import { runsBesides } from "../../transcripts/recorder/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { CopilotPart, CopilotRecord } from "./part-kinds.js";
import { ReportedTotals } from "./totals.js";

type PartOf<Is extends CopilotPart["is"]> = Extract<CopilotPart, { readonly is: Is }>;

/** One file contains the conversations of a session and of its sub-agents. */
export class CopilotFollower implements Follower<CopilotRecord> {
  readonly #out: TraceRecorder;
  readonly #totals = new ReportedTotals();
  readonly #agents = new Map<string, string>();
  readonly #background = new Set<string>();
  readonly #models = new Map<string, string>();
  readonly #thoughts = new Map<string, string>();
  #system: MessageRun | undefined;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  follow(record: CopilotRecord, place: LineLocation): void {
    const out = this.#out;
    const conversation = this.#conversationOf(record);
    if (out.passRepeated(record, place, conversation)) return;
    const isMain = conversation === out.conversations.main;
    if (record.isMessage && isMain) out.noteMessage(place);
    else if (record.isMessage) out.noteMessageOf(conversation, place);
    const origin = out.originOf(record.instant, place, { conversation });
    out.start(origin);
    if (isMain && record.type === "system.message") this.#replaceSystem(origin);
    if (record.type === "assistant.message") this.#answer(origin, record);
    else if (record.type === "session.shutdown") this.#shutDown(origin, record);
    else this.#take(origin, record);
  }

  /** Older versions name only the call that spawned the agent. */
  #conversationOf({ agentId, spawnId }: CopilotRecord): ConversationState {
    const { conversations } = this.#out;
    if (agentId !== undefined) return conversations.of(agentId);
    return spawnId === undefined
      ? conversations.main
      : conversations.of(this.#agents.get(spawnId) ?? spawnId);
  }

  #take(origin: RecordOrigin, record: CopilotRecord): void {
    const out = this.#out;
    const { agentId } = origin.conversation;
    const [part] = record.parts;
    switch (part?.is) {
      case "prompt":
        return this.#prompt(origin, part);
      case "input":
        out.block(origin, FIRST);
        return out.answerTo(origin);
      case "thinking":
        return this.#isRepeated(agentId, part) ? out.repeat(origin) : out.block(origin, FIRST);
      case "call":
        if (part.isBackground) this.#background.add(part.toolCallId);
        return out.tools.isOpen(part.toolCallId) ? out.repeat(origin) : out.beginTool(origin, part, FIRST);
      case "result":
        this.#endTool(origin, part);
        if (!record.isByUser) out.goOn(origin);
        return record.isByUser ? undefined : out.answerTo(origin);
      case "compaction":
        return this.#compact(origin, record, part);
      case "turn end":
        return this.#endTurn(origin, record, part);
      case "spawned":
        this.#spawn(origin, part);
        break;
      case "request":
        this.#thoughts.delete(agentId);
        out.answerTo(origin);
        break;
      case "usage":
        this.#call(origin, record.call());
        break;
      case "settings":
        if (part.model !== undefined) this.#models.set(agentId, part.model);
        break;
      case "total":
        break;
      default:
        return followPart(out, origin, part);
    }
    out.passThrough(origin);
  }

  #prompt(origin: RecordOrigin, part: PartOf<"prompt">): void {
    const { isTurnOpen, isFinished } = origin.conversation;
    if (part.isWithin && isTurnOpen && !(isFinished && part.isPrompt)) {
      this.#out.block(origin, { isMain: true, part: 1 });
      this.#out.goOn(origin);
    } else this.#out.beginTurn(origin, part);
    this.#out.answerTo(origin);
  }

  #answer(origin: RecordOrigin, record: CopilotRecord): void {
    const out = this.#out;
    const call = record.call();
    this.#call(origin, call);
    let rows = 0;
    for (const [part, one] of record.parts.entries()) {
      if (one.is === "thinking" && this.#isRepeated(origin.conversation.agentId, one)) continue;
      out.block(origin, { isMain: rows++ === 0, part });
    }
    if (rows === 0) out.passThrough(origin);
    out.goOn(origin);
    if (call === undefined) return;
    out.markCallEnd(origin);
    if (record.text() !== "") out.say(origin);
    if (!record.requestsTools) out.finish(origin);
  }

  #isRepeated(agentId: string, { text }: PartOf<"thinking">): boolean {
    const reported = this.#thoughts.get(agentId);
    if (text !== "") this.#thoughts.set(agentId, text);
    return reported !== undefined && (text === "" || reported === text);
  }

  #call(origin: RecordOrigin, reported: ReportedCall | undefined): void {
    if (reported === undefined) return;
    const call = this.#named(origin, reported);
    this.#totals.count(call.messageId ?? `line ${origin.place.start}`, call.model, call.usage);
    this.#out.modelCall(origin, call);
  }

  #named({ conversation }: RecordOrigin, call: ReportedCall): ReportedCall {
    return { ...call, model: call.model ?? this.#models.get(conversation.agentId) ?? this.#models.get("") };
  }

  #callBeside(origin: RecordOrigin, call: ReportedCall, part = 0): void {
    this.#out.modelCall(origin, { ...call, isBeside: true }, part);
    this.#out.markCallEnd(origin);
    this.#out.endCall(origin.conversation);
  }

  #endTool(origin: RecordOrigin, part: PartOf<"result">): void {
    const end = part.end();
    const isLaunch = end.outcome === "completed" && this.#background.has(part.toolCallId);
    this.#out.endTool(origin, { ...part, end: () => ({ ...end, isLaunch }) }, FIRST);
  }

  #spawn(origin: RecordOrigin, part: PartOf<"spawned">): void {
    const { tools } = this.#out;
    const { toolCallId, note, callerId } = part;
    const { agentId } = origin.conversation;
    this.#agents.set(toolCallId, agentId);
    if (part.isBackground) this.#background.add(toolCallId);
    if (part.model !== undefined) this.#models.set(agentId, part.model);
    if (!tools.spawns.has(toolCallId)) tools.spawn(toolCallId, note, callerId, validInstant(origin.instant));
    tools.link(agentId, toolCallId);
    // Older versions do not record its prompt.
    if (agentId === toolCallId) this.#out.beginTurn(origin, undefined, false);
  }

  #endTurn(origin: RecordOrigin, { parts: [, job] }: CopilotRecord, part: PartOf<"turn end">): void {
    followPart(this.#out, origin, part);
    const isJob = job?.is === "job end" && this.#background.has(job.toolCallId ?? "");
    if (isJob) this.#out.endJob(origin, job, { isMain: false, part: 1 });
  }

  #replaceSystem(origin: RecordOrigin): void {
    const now = this.#out.messageCount - 1;
    if (this.#system !== undefined)
      this.#out.remove(origin, { cause: "request", messages: [this.#system] }, now);
    this.#system = [now, now + 1];
  }

  /** Only the system prompt remains visible. The same record reports the call that summarized. */
  #compact(origin: RecordOrigin, record: CopilotRecord, part: PartOf<"compaction">): void {
    const out = this.#out;
    const call = record.call();
    if (call !== undefined) this.#callBeside(origin, this.#named(origin, call));
    followPart(out, origin, part);
    if (!part.removesAll || origin.conversation !== out.conversations.main) return;
    const at = out.messageCount - (record.isMessage ? 1 : 0);
    const messages = runsBesides(this.#system === undefined ? [] : [this.#system], at);
    out.remove(origin, { cause: "compaction", messages }, at);
  }

  /** The record reports the usage of all calls. It ends an open turn. */
  #shutDown(origin: RecordOrigin, { parts: [end, ...others] }: CopilotRecord): void {
    const out = this.#out;
    const totals = others.filter((part): part is PartOf<"total"> => part.is === "total");
    for (const [i, rest] of this.#totals.close(totals).entries()) {
      if (rest?.callId !== undefined) out.reportUsage(rest.callId, rest.usage);
      if (rest === undefined || rest.callId !== undefined) continue;
      const { model } = totals[i]!;
      const named = { messageId: `total ${origin.place.line} ${model}`, recordId: "", model };
      this.#callBeside(origin, { ...named, retainsModel: true, usage: rest.usage }, i + 1);
    }
    const { isTurnOpen, isFinished } = origin.conversation;
    if (isTurnOpen && !isFinished && end?.is === "turn end") out.endTurn(origin, end.outcome);
    else out.passThrough(origin);
  }
}
