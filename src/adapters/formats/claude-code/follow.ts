import type { ConversationState } from "../../transcripts/conversation-state.js";
import type { Follower } from "../../transcripts/format.js";
import type { RecordOrigin } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import type { LineLocation } from "../../transcripts/trace-rows.js";
import type { ClaudePart, ClaudeRecord } from "./parts.js";

/** Follows the conversations of one file: that of the session, or of a sub-agent, and what it repeats of others. */
export class ClaudeFollower implements Follower<ClaudeRecord> {
  readonly #out: TraceRecorder;

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  passCopy(record: ClaudeRecord, place: LineLocation): void {
    if (this.#isOwnMessage(record)) this.#out.noteMessage(place);
  }

  follow(record: ClaudeRecord, place: LineLocation): void {
    const out = this.#out;
    const { id, inner } = record;
    const [part] = record.parts;
    // What a summary names as its leaf is the newest record of the conversation itself.
    if (part?.is === "title") out.noteTitles(part.titles);
    else if (this.#isOwnMessage(record)) out.noteTitles({ key: id });
    if (this.#isOwnMessage(record)) out.noteMessage(place);
    const conversation = this.#conversationOf(record);
    const isRepeated = out.isRepeated(id);
    const origin = out.originOf(record.instant, place, { conversation, isRepeated });
    // The first record with a `uuid` knows folder, version and branch.
    if (id !== undefined) out.start(origin);
    if (inner === undefined) return this.#take(origin, record);
    // Both readings of a progress record are kept: which one is shown depends on whether the agent has a file.
    const agent = out.conversations.of(inner.ownerId, true);
    out.passThrough(origin, agent.ordinal + 1);
    if (inner.spawnId !== undefined) out.tools.link(inner.ownerId, inner.spawnId);
    const ofAgent = out.originOf(inner.instant, place, { conversation: agent, isInner: true, isRepeated });
    if (id !== undefined) out.start(ofAgent);
    this.#take(ofAgent, inner);
  }

  /**
   * Whose line it is: that of the agent whose file it is in or that it names; else, in version 1.0, that of the sidechain that it
   * goes on, which is named by its root.
   */
  #conversationOf({ agentId, isSidechain, parentId, id }: ClaudeRecord): ConversationState {
    const { options, conversations } = this.#out;
    if (options.isOneConversation) return conversations.main;
    if (agentId !== undefined) return conversations.of(agentId);
    return isSidechain ? conversations.behind(parentId ?? "", id ?? "") : conversations.main;
  }

  /** Whether a record holds a message of the file's own conversation: no sub-agent's, inline or in a progress record. */
  #isOwnMessage({ isMessage, isAgents }: ClaudeRecord): boolean {
    return isMessage && (this.#out.options.isOneConversation || !isAgents);
  }

  #take(origin: RecordOrigin, record: ClaudeRecord): void {
    const out = this.#out;
    const { answer, parts } = record;
    if (answer !== undefined) return this.#answer(origin, parts, answer);
    const [part] = parts;
    switch (part?.is) {
      case "prompt":
        // Of a prompt all texts are decoded, also where a session is only summed up.
        out.noteDirectory(part.directory);
        return out.beginTurn(origin, part);
      case "turn end":
        out.endTurn(origin, part.outcome);
        if (part.outcome !== undefined) out.finish(origin);
        return;
      case "error":
        if (part.endsCall) out.endCall(origin.conversation);
        return out.fail(origin, part.isLast);
      case "compaction":
        return out.compaction(origin, part.durationMs);
      case "input":
        out.answerTo(origin);
        return out.passThrough(origin);
      case "failure":
        out.failBookkeeping(origin);
        return out.passThrough(origin);
      case "title":
      case undefined:
        return out.passThrough(origin);
    }
    for (const [at, one] of parts.entries()) this.#block(origin, one, at);
    out.goOn(origin);
    out.answerTo(origin);
  }

  /** A block of an answer, or of what tools gave. */
  #block(origin: RecordOrigin, part: ClaudePart, at: number): void {
    const location = { isMain: at === 0, part: at };
    if (part.is === "call") this.#out.beginTool(origin, part, location);
    else if (part.is === "result") this.#out.endTool(origin, part, location);
    else this.#out.block(origin, location);
  }

  /** One line of an answer: texts, and calls of tools. */
  #answer(
    origin: RecordOrigin,
    parts: readonly ClaudePart[],
    { call, callsTool }: NonNullable<ClaudeRecord["answer"]>,
  ): void {
    const out = this.#out;
    if (call !== undefined) out.modelCall(origin, call);
    for (const [at, part] of parts.entries()) this.#block(origin, part, at);
    out.markCallEnd(origin);
    if (parts.length === 0) out.passThrough(origin);
    if (call !== undefined && parts.some((part) => part.is === "text" && part.text !== undefined))
      out.say(origin);
    out.goOn(origin);
    if (parts.at(-1)?.is === "text" && !callsTool) out.finish(origin);
  }
}
