import { stepOfCall } from "../../domain/session/open-calls.js";
import { instantOf } from "../../domain/trace/instant.js";
import { NO_USAGE, type TokenUsage } from "../../domain/usage/token-usage.js";
import { ModelCalls, type ReportedCall, ToolCalls } from "./calls.js";
import { type ConversationState, known } from "./conversation-state.js";
import { Conversations } from "./conversations.js";
import { FactsRecorder } from "./facts-recorder.js";
import { FileNotes } from "./file-notes.js";
import { MessagePlaces } from "./message-places.js";
import type { AskPart, CallPart, ErrorPart, JobEndPart, PlainPart, PromptPart, ResultPart } from "./parts.js";
import type { PartLocation, RecordOrigin } from "./recorded.js";
import { type OwnOfRow, rowOf } from "./row-of.js";
import {
  type LineLocation,
  OUTCOMES,
  type RecordedRow,
  RowKind,
  TraceRows,
  type TurnOutcome,
} from "./trace-rows.js";

/**
 * Takes what the records of one file mean, in their order: turns, model calls, tool calls, errors, compactions, sub-agents. It
 * owns sequences, ends that no record gives, usage that is reported more than once, and the state of the newest turn. A format
 * calls it for each record; what it has taken is extended when the file grows.
 */
export class TraceRecorder extends FileNotes {
  readonly rows = new TraceRows();
  readonly conversations = new Conversations(this.options.agentId);
  readonly calls = new ModelCalls();
  readonly tools = new ToolCalls();
  /** Activity of its conversations; only for a summarised file. */
  readonly facts = this.options.keepsRows ? undefined : new FactsRecorder();

  override get bytes(): number {
    const { calls, tools, rows, conversations, facts } = this;
    const derived = calls.bytes + tools.bytes + rows.bytes + conversations.bytes;
    return super.bytes + derived + (facts?.bytes ?? 0);
  }

  /**
   * Returns the origin for the envelopes of a record. A record without an instant gets that of the previous record.
   *
   * @param of owner of the record, and its position in its line. Default is a record of the file's own conversation, with its own id
   */
  originOf(
    instant: number | undefined,
    place: LineLocation,
    of: Partial<Pick<RecordOrigin, "conversation" | "isInner" | "isRepeated">> = {},
  ): RecordOrigin {
    const { conversation = this.conversations.main, isInner = false, isRepeated = false } = of;
    const origin = {
      conversation,
      place,
      instant: conversation.advance(instant, place),
      isInner,
      isRepeated,
    };
    this.facts?.happen(origin);
    return origin;
  }

  /** The beginning of a conversation's trace, from the first record that knows where it happened. */
  start(origin: RecordOrigin): void {
    const { conversation } = origin;
    if (conversation.isStarted) return;
    conversation.isStarted = true;
    this.push(origin, RowKind.sessionStart, { sequence: 0, instant: conversation.firstInstant });
  }

  /**
   * Begins a turn with a prompt. A turn that no record ended is ended where the model fell silent.
   *
   * @param isMain whether the record is the prompt; else the turn only begins in front of it. Default is that it is
   */
  beginTurn(origin: RecordOrigin, part: PromptPart | undefined, isMain = true): void {
    const { conversation } = origin;
    this.endCall(conversation);
    if (conversation.isTurnOpen)
      this.#endTurn(origin, conversation.hasFailed ? "failed" : "completed", undefined);
    conversation.ask(origin.instant, part);
    this.push(origin, RowKind.turnStart, { isMain, detail: conversation.beginTurn() });
    conversation.answered = origin.instant;
  }

  /** Ends the turn by a record. Without an open turn it is a record like any other. */
  endTurn(origin: RecordOrigin, outcome?: TurnOutcome, part = 0): void {
    const { conversation } = origin;
    this.endCall(conversation);
    if (!conversation.isTurnOpen) this.passThrough(origin);
    else this.#endTurn(origin, outcome ?? (conversation.hasFailed ? "failed" : "completed"), part);
  }

  #endTurn(origin: RecordOrigin, outcome: TurnOutcome, part: number | undefined): void {
    const { conversation } = origin;
    const detail = (conversation.turns - 1) * OUTCOMES.length + OUTCOMES.indexOf(outcome);
    const { end } = conversation;
    if (part !== undefined) this.push(origin, RowKind.turnEnd, { isMain: true, part, detail });
    else if (end === undefined) {
      this.push(origin, RowKind.turnEnd, { detail, instant: conversation.previousInstant });
    } else {
      const { place, isInner, instant, sequence } = end;
      this.push({ ...origin, place, isInner }, RowKind.turnEnd, { detail, instant, sequence });
    }
    conversation.hasFailed = outcome === "failed";
    if (conversation.endTurn()) this.facts?.fail(origin, undefined, "The turn failed.");
  }

  /**
   * Records a part of a model's message; its calls may be written as several records.
   *
   * @param part index of the part about this call, if a record reports several calls
   */
  modelCall(origin: RecordOrigin, said: ReportedCall, part = 0): void {
    const { conversation, place, instant, isInner } = origin;
    const reported = this.#withModel(said, origin);
    const { messageId, usage, durationMs } = reported;
    if (reported.hasOddCount) this.noteOddCount(place);
    conversation.model = reported.model ?? conversation.model;
    // Progress records repeat messages that other lines may hold: they are counted apart, because one of the two is hidden.
    const scope = conversation.isProgress ? `${conversation.ordinal} ` : "";
    const key = scope + (messageId ?? `line ${place.start}`);
    const found = this.calls.find(key);
    const ordinal = found ?? this.calls.begin(key, reported, conversation, instant);
    if (conversation.call !== undefined && conversation.call.key !== key) this.endCall(conversation);
    if (found === undefined) {
      const answered = reported.isBeside ? Number.NaN : conversation.answered;
      const waited = Number.isNaN(answered) ? instant : Math.min(answered, instant);
      const begun = durationMs === undefined ? waited : (instantOf(instant - durationMs) ?? instant);
      this.push(origin, RowKind.llmStart, { instant: begun, part, detail: ordinal });
      const { callId } = this.calls.list[ordinal]!;
      if (!reported.isBeside) {
        this.facts?.callModel(origin);
        conversation.endCalls();
      }
      if (conversation !== this.conversations.main) conversation.messages?.addCall(callId, place);
      else if (!reported.isBeside) this.noteCall(callId, place);
    }
    this.calls.count(ordinal, usage, reported);
    if (!reported.isBeside) conversation.takeFailureBack();
    // A line of a call that ended already has nothing to move.
    if (found !== undefined && conversation.call === undefined) return;
    conversation.call = { key, ordinal, place, part, isInner, instant, sequence: undefined };
  }

  /**
   * Records a model call that did not answer the conversation and has a single record: a summary, a title, a failed attempt.
   *
   * @param begin when it began, in milliseconds since the epoch
   */
  callBeside(origin: RecordOrigin, begin: number, call: Omit<ReportedCall, "messageId" | "isBeside">): void {
    const reported = { ...call, messageId: undefined, isBeside: true };
    this.modelCall({ ...origin, instant: begin }, { ...reported, usage: NO_USAGE, hasOddCount: false });
    this.modelCall(origin, reported);
    this.markCallEnd(origin);
    this.endCall(origin.conversation);
  }

  /** The note next to a file names the model of its calls if their records do not. */
  #withModel(reported: ReportedCall, { conversation }: RecordOrigin): ReportedCall {
    const { model } = this.options;
    const isKnown = model === undefined || reported.model !== undefined;
    return isKnown || conversation !== this.conversations.main
      ? reported
      : { ...reported, model, keepsModel: true };
  }

  /** A message of a sub-agent that lies in the file of another conversation. */
  noteMessageOf(conversation: ConversationState, place: LineLocation): void {
    if (!this.options.keepsRows) return;
    conversation.messages ??= new MessagePlaces();
    conversation.messages.add(place);
  }

  /** The usage of a call that another record than its own reports. */
  reportUsage(messageId: string, usage: TokenUsage): void {
    const ordinal = this.calls.find(messageId);
    if (ordinal !== undefined) this.calls.count(ordinal, usage);
  }

  /** Reserves the next sequence number for the end of the call, in case this line is its last one. */
  markCallEnd({ conversation }: RecordOrigin): void {
    if (conversation.call !== undefined) conversation.call.sequence ??= conversation.nextSequence++;
  }

  /** No further line belongs to the call whose lines were read last. */
  endCall(conversation: ConversationState): void {
    const row = this.options.keepsRows ? this.callEnd(conversation) : undefined;
    if (row !== undefined) this.rows.push(row);
    conversation.call = undefined;
  }

  /** The end of the call whose lines were read last. */
  callEnd(conversation: ConversationState): RecordedRow | undefined {
    if (conversation.call === undefined) return undefined;
    const {
      ordinal,
      place,
      part,
      isInner,
      instant,
      sequence = conversation.nextSequence,
    } = conversation.call;
    const origin = { conversation, place, instant, isInner, isRepeated: false };
    return rowOf(origin, RowKind.llmEnd, sequence, { part, detail: ordinal });
  }

  /** Text, reasoning, or whatever else a message holds. */
  block(origin: RecordOrigin, at: PartLocation): void {
    this.push(origin, RowKind.block, at);
  }

  /** Takes back what came before, as far as `dropped` messages go. */
  rewind(origin: RecordOrigin, at: PartLocation, dropped: number): void {
    this.push(origin, RowKind.block, { ...at, detail: dropped });
  }

  /** Records readable text of the model: its newest text is its answer. */
  say({ conversation, place, isInner }: RecordOrigin): void {
    conversation.lastText = { ...place, isInner };
  }

  /** Records that the conversation continues: an answer or a result is pending. */
  goOn({ conversation }: RecordOrigin): void {
    conversation.end = undefined;
  }

  /** The model has spoken before its tools begin: that is where its call ends, if no line of it follows. */
  beginTool(origin: RecordOrigin, part: CallPart, at: PartLocation): void {
    const { toolCallId } = part;
    this.markCallEnd(origin);
    this.tools.begin(toolCallId, part.toolName);
    if (this.facts !== undefined) {
      const input = part.input === undefined ? part.event?.().input : part.input();
      this.facts.beginTool(origin, part, input);
      origin.conversation.followCall(stepOfCall(part, input));
    }
    this.push(origin, RowKind.toolStart, at);
    const spawn = part.spawn?.();
    if (spawn !== undefined)
      this.tools.spawn(toolCallId, spawn, origin.conversation.agentId, known(origin.instant));
  }

  endTool(origin: RecordOrigin, part: ResultPart, at: PartLocation): void {
    const { toolCallId } = part;
    const { outcome, agentId, groupId, isLaunch } = part.end();
    this.push(origin, RowKind.toolEnd, { ...at, detail: this.tools.end(toolCallId) });
    this.facts?.endTool(origin, part, outcome);
    origin.conversation.followCall({ does: "end", callId: toolCallId });
    if (outcome === "failed") origin.conversation.countError();
    if (agentId !== undefined) this.tools.link(agentId, toolCallId);
    if (groupId !== undefined)
      this.tools.groups.set(groupId, { toolCallId, callerId: origin.conversation.agentId });
    const { place, isInner } = origin;
    const result = { place, isInner, part: at.part, instant: known(origin.instant), outcome, isLaunch };
    this.tools.give(toolCallId, result);
  }

  /** Records a question to a person that is not a tool call, such as a permission. */
  ask(origin: RecordOrigin, { callId, question }: AskPart, at: PartLocation): void {
    if (this.facts !== undefined)
      origin.conversation.followCall({ does: "ask", callId, question: question() });
    this.block(origin, at);
  }

  /** A sub-agent that works in the background has ended. */
  endJob({ place, isInner, instant }: RecordOrigin, job: JobEndPart, { part }: PartLocation): void {
    const { agentId, toolCallId = this.tools.newestSpawnOf(agentId), outcome } = job;
    if (toolCallId === undefined) return;
    const end = { place, isInner, part, instant: known(instant), outcome, isLaunch: false };
    this.tools.endJob(toolCallId, agentId, end);
  }

  /** The next model call answers this record. */
  answerTo({ conversation, instant }: RecordOrigin): void {
    conversation.answered = instant;
  }

  /** An error is no failure once the model has answered again: the answer clears it. */
  fail(origin: RecordOrigin, part: ErrorPart): void {
    const { conversation } = origin;
    this.push(origin, RowKind.error, { isMain: true });
    this.facts?.fail(origin, part.event?.(), "error");
    conversation.countError();
    conversation.hasFailed = true;
    conversation.endCalls();
    conversation.end = undefined;
    if (part.isLast) this.finish(origin);
    if (!conversation.isTurnOpen) conversation.lastTurnFailed = true;
  }

  /** A hook of the runtime failed, or the like: an error beside the turn, which has not failed for it. */
  failBookkeeping(origin: RecordOrigin, part: PlainPart): void {
    origin.conversation.failedBookkeeping++;
    this.facts?.fail(origin, { error: part.cause?.() }, "failed");
  }

  /** The conversation waits for nothing any more, according to the record. */
  finish({ conversation, place, isInner, instant }: RecordOrigin): void {
    conversation.finish(place, isInner, instant);
  }

  /** @param tokensBefore how large the context was, where another record says it. Default is unknown */
  compaction(origin: RecordOrigin, durationMs: number, tokensBefore = 0): void {
    this.facts?.compact(origin);
    // Of a duration that cannot be, the beginning would be no instant.
    this.push(origin, RowKind.compactionStart, {
      instant: instantOf(origin.instant - durationMs) ?? origin.instant,
      detail: tokensBefore,
    });
    this.push(origin, RowKind.compactionEnd, { isMain: true, detail: tokensBefore });
  }

  /**
   * A record that says again what another one does.
   *
   * @param detail of a record of a sub-agent: the conversation that it reports on, plus one. Default is 0
   */
  repeat(origin: RecordOrigin, detail = 0): void {
    this.push(origin, RowKind.repeat, { isMain: true, detail });
  }

  /** A record that means none of the above. */
  passThrough(origin: RecordOrigin): void {
    this.push(origin, RowKind.record, { isMain: true });
  }

  push(origin: RecordOrigin, kind: RowKind, row: OwnOfRow = {}): void {
    const sequence = row.sequence ?? origin.conversation.nextSequence++;
    if (this.options.keepsRows) this.rows.push(rowOf(origin, kind, sequence, row));
  }
}
