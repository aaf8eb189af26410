import type { ConversationState } from "../../transcripts/recorder/conversation-state.js";
import { FIRST, followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import type { RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import { MessageChain } from "./message-chain.js";
import type { ClaudeRecord } from "./parts.js";

/** Scope: one file of a session or a sub-agent, and its copies of other conversations. */
export class ClaudeFollower implements Follower<ClaudeRecord> {
  readonly #out: TraceRecorder;
  readonly #chain: MessageChain;

  constructor(out: TraceRecorder) {
    this.#out = out;
    this.#chain = new MessageChain(out);
  }

  passCopy(record: ClaudeRecord, place: LineLocation): void {
    if (!this.#out.isRepeated(record.id)) this.#noteMessage(record, place);
  }

  follow(record: ClaudeRecord, place: LineLocation): void {
    const out = this.#out;
    const { id, inner, parts } = record;
    const conversation = this.#conversationOf(record);
    if (out.passRepeated(record, place, conversation)) return;
    if (this.#noteMessage(record, place)) {
      // The leaf of a summary is the newest record of the conversation itself.
      if (parts[0]?.is !== "title") out.noteTitles({ key: id });
    }
    const origin = out.originOf(record.instant, place, { conversation });
    // The first record with a `uuid` has folder, version and branch.
    if (id !== undefined) out.start(origin);
    if (inner === undefined) {
      if (conversation === out.conversations.main) this.#chain.follow(origin, record);
      else if (record.isMessage) out.noteMessageOf(conversation, place);
      return this.#take(origin, record);
    }
    // Both readings of a progress record are stored: the agent's file decides which one is displayed.
    const agent = out.conversations.of(inner.ownerId, true);
    // The agent's own file already contains the content of this record.
    out.repeat(origin, agent.ordinal + 1);
    if (inner.spawnId !== undefined) out.tools.link(inner.ownerId, inner.spawnId);
    const ofAgent = out.originOf(inner.instant, place, { conversation: agent, isInner: true });
    if (id !== undefined) out.start(ofAgent);
    if (inner.isMessage) out.noteMessageOf(agent, place);
    this.#take(ofAgent, inner);
  }

  /** The agent of the file, or the agent that the line names. In version 1.0, the root of the sidechain that the line continues. */
  #conversationOf({ agentId, isSidechain, parentId, id }: ClaudeRecord): ConversationState {
    const { options, conversations } = this.#out;
    if (options.isOneConversation) return conversations.main;
    if (agentId !== undefined) return conversations.of(agentId);
    return isSidechain ? conversations.behind(parentId ?? "", id ?? "") : conversations.main;
  }

  /** @returns true for a message of the file's own conversation: not of a sub-agent, inline or in a progress record */
  #noteMessage(record: ClaudeRecord, place: LineLocation): boolean {
    if (!this.#out.options.isOneConversation && record.isAgents) return false;
    const holds = this.#chain.holds(record);
    if (holds) this.#out.noteMessage(place);
    this.#chain.add(record, holds);
    return holds;
  }

  #take(origin: RecordOrigin, record: ClaudeRecord): void {
    const out = this.#out;
    const { isAnswer, parts } = record;
    const call = isAnswer ? record.call() : undefined;
    if (call !== undefined) {
      // Every line of the answer repeats its inner calls.
      for (const inner of record.innerCalls()) {
        if (out.calls.find(inner.messageId!) === undefined) out.modelCall(origin, inner);
        else out.reportUsage(inner.messageId!, inner.usage);
      }
      out.modelCall(origin, call);
    }
    if (parts.length === 0) {
      if (isAnswer) out.markCallEnd(origin);
      followPart(out, origin, undefined);
    }
    let saysText = false;
    let givesResults = false;
    for (const [part, one] of parts.entries()) {
      if (one.is === "text") saysText ||= one.text !== undefined;
      else if (one.is === "result") givesResults = true;
      followPart(out, origin, one, part === 0 ? FIRST : { isMain: false, part });
    }
    if (givesResults || record.isQueued) {
      out.goOn(origin);
      out.answerTo(origin);
    }
    if (!isAnswer) return;
    out.markCallEnd(origin);
    if (call !== undefined && saysText) out.say(origin);
    out.goOn(origin);
    if (parts.at(-1)?.is === "text" && record.endsAnswer) out.finish(origin);
  }
}
