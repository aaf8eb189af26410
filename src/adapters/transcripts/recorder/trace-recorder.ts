import { textKey } from "../../../domain/session/call-series.js";
import { stepOfCall } from "../../../domain/session/open-calls.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { NO_USAGE, type TokenUsage } from "../../../domain/usage/token-usage.js";
import { ModelCalls, type ReportedCall, ToolCalls } from "./calls.js";
import { type ConversationState, validInstant } from "./conversation-state.js";
import { Conversations } from "./conversations.js";
import { FactsRecorder } from "./facts-recorder.js";
import { FileNotes } from "./file-notes.js";
import { MessagePlaces } from "./message-places.js";
import type {
  AskPart,
  CallPart,
  ErrorPart,
  JobEndPart,
  PlainPart,
  PromptPart,
  RecordParts,
  ResultPart,
} from "./parts.js";
import { type PartLocation, type RecordOrigin, UUID } from "./record-origin.js";
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
 * Takes the meaning of one file's records, in order, as a format reports it. It owns sequences, ends without a record, repeated usage and
 * the state of the newest turn, and continues when the file grows.
 */
export class TraceRecorder extends FileNotes {
  readonly rows = new TraceRows();
  readonly conversations = new Conversations(this.options.agentId);
  readonly calls = new ModelCalls();
  readonly tools = new ToolCalls();
  readonly facts = this.options.retainsRows ? undefined : new FactsRecorder();

  override get bytes(): number {
    const { calls, tools, rows, conversations, facts } = this;
    const derived = calls.bytes + tools.bytes + rows.bytes + conversations.bytes;
    return super.bytes + derived + (facts?.bytes ?? 0);
  }

  /**
   * A record without an instant gets that of the previous one.
   * @param of owner of the record, and its position in its line. Default is a record of the file's own conversation, with its own ID
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

  /** @returns true for a record that the file already contains: its envelope has the type `<format>.repeated`, and it counts nothing */
  passRepeated(
    { id, instant }: Pick<RecordParts, "id" | "instant">,
    place: LineLocation,
    conversation = this.conversations.main,
  ): boolean {
    if (id === undefined || !UUID.test(id) || !this.isRepeated(id)) return false;
    this.repeat(this.originOf(instant, place, { conversation, isRepeated: true }));
    return true;
  }

  start(origin: RecordOrigin): void {
    const { conversation } = origin;
    if (conversation.isStarted) return;
    conversation.isStarted = true;
    this.push(origin, RowKind.sessionStart, { sequence: 0, instant: conversation.firstInstant });
  }

  /**
   * Ends an open turn at the model's last message.
   * @param isMain false if the turn only begins before the record. Default is true
   */
  beginTurn(origin: RecordOrigin, part: PromptPart | undefined, isMain = true): void {
    const { conversation } = origin;
    this.endCall(conversation);
    if (conversation.isTurnOpen)
      this.#endTurn(origin, conversation.hasFailed ? "failed" : "completed", undefined);
    conversation.ask(origin.instant, part);
    const isUnasked = part?.isPrompt === false;
    this.push(origin, RowKind.turnStart, {
      isMain,
      detail: 2 * conversation.beginTurn() + Number(isUnasked),
    });
    conversation.answered = origin.instant;
  }

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
   * A call may span several records.
   * @param part index of the part, if a record reports several calls
   */
  modelCall(origin: RecordOrigin, call: ReportedCall, part = 0): void {
    const { conversation, place, instant, isInner } = origin;
    const reported = this.#withModel(call, origin);
    const { messageId, usage, durationMs } = reported;
    if (reported.hasOddCount) this.noteOddCount(place);
    conversation.model = reported.model ?? conversation.model;
    // Progress records repeat messages, so they count separately: one of the two is hidden.
    const scope = conversation.isProgress ? `${conversation.ordinal} ` : "";
    const key = scope + (messageId ?? `line ${place.start}`);
    const existing = this.calls.find(key);
    const ordinal = existing ?? this.calls.begin(key, reported, conversation, instant);
    if (conversation.call !== undefined && conversation.call.key !== key) this.endCall(conversation);
    const { answered, calledUntil } = conversation;
    const isUnknown = reported.isBeside || Number.isNaN(answered);
    const waited = isUnknown ? instant : Math.min(Math.max(answered, calledUntil), instant);
    const begun = durationMs === undefined ? waited : (instantOf(instant - durationMs) ?? instant);
    if (existing === undefined) {
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
    if (!reported.isBeside && begun < instant) conversation.endModelCall(instant - begun);
    if (existing !== undefined && conversation.call === undefined) return;
    const { isBeside = false } = reported;
    conversation.call = { key, ordinal, place, part, isInner, isBeside, instant, sequence: undefined };
  }

  /**
   * For a call beside the conversation, with a single record: a summary, a title, a failed attempt.
   * @param begin in milliseconds since the epoch
   */
  callBeside(origin: RecordOrigin, begin: number, call: Omit<ReportedCall, "messageId" | "isBeside">): void {
    const reported = { ...call, messageId: undefined, isBeside: true };
    this.modelCall({ ...origin, instant: begin }, { ...reported, usage: NO_USAGE, hasOddCount: false });
    this.modelCall(origin, reported);
    this.markCallEnd(origin);
    this.endCall(origin.conversation);
  }

  /** The note next to a file names the model if the records do not. */
  #withModel(reported: ReportedCall, { conversation }: RecordOrigin): ReportedCall {
    const { model } = this.options;
    const hasModel = model === undefined || reported.model !== undefined;
    return hasModel || conversation !== this.conversations.main
      ? reported
      : { ...reported, model, retainsModel: true };
  }

  noteMessageOf(conversation: ConversationState, place: LineLocation): void {
    if (!this.options.retainsRows) return;
    conversation.messages ??= new MessagePlaces();
    conversation.messages.add(place);
  }

  reportUsage(messageId: string, usage: TokenUsage): void {
    const ordinal = this.calls.find(messageId);
    if (ordinal !== undefined) this.calls.count(ordinal, usage);
  }

  /** Reserves a sequence number for the call's end, in case this is its last line. */
  markCallEnd({ conversation }: RecordOrigin): void {
    if (conversation.call !== undefined) conversation.call.sequence ??= conversation.nextSequence++;
  }

  endCall(conversation: ConversationState): void {
    const row = this.options.retainsRows ? this.callEnd(conversation) : undefined;
    if (row !== undefined) this.rows.push(row);
    conversation.closeCall();
  }

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

  block(origin: RecordOrigin, at: PartLocation): void {
    this.push(origin, RowKind.block, at);
  }

  rewind(origin: RecordOrigin, at: PartLocation, dropped: number): void {
    this.push(origin, RowKind.block, { ...at, detail: dropped });
  }

  say({ conversation, place, isInner }: RecordOrigin): void {
    conversation.lastText = { ...place, isInner };
  }

  goOn({ conversation }: RecordOrigin): void {
    conversation.end = undefined;
  }

  /** The call ends before its tools begin, if no line of it follows. */
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
      this.tools.spawn(toolCallId, spawn, origin.conversation.agentId, validInstant(origin.instant));
  }

  endTool(origin: RecordOrigin, part: ResultPart, at: PartLocation): void {
    const { toolCallId } = part;
    const { outcome, agentId, groupId, isLaunch } = part.end();
    this.push(origin, RowKind.toolEnd, { ...at, detail: this.tools.end(toolCallId) });
    const result = this.facts?.endTool(origin, part, outcome);
    origin.conversation.followCall({ does: "end", callId: toolCallId, result: textKey(result) });
    if (outcome === "failed") origin.conversation.countError();
    if (agentId !== undefined) this.tools.link(agentId, toolCallId);
    if (groupId !== undefined)
      this.tools.groups.set(groupId, { toolCallId, callerId: origin.conversation.agentId });
    const { place, isInner } = origin;
    const ended = {
      place,
      isInner,
      part: at.part,
      instant: validInstant(origin.instant),
      outcome,
      isLaunch,
    };
    this.tools.give(toolCallId, ended);
  }

  ask(origin: RecordOrigin, { callId, question }: AskPart, at: PartLocation): void {
    if (this.facts !== undefined)
      origin.conversation.followCall({ does: "ask", callId, question: question() });
    this.block(origin, at);
  }

  endJob({ place, isInner, instant }: RecordOrigin, job: JobEndPart, { part }: PartLocation): void {
    const { agentId, toolCallId = this.tools.newestSpawnOf(agentId), outcome } = job;
    if (toolCallId === undefined) return;
    const end = { place, isInner, part, instant: validInstant(instant), outcome, isLaunch: false };
    this.tools.endJob(toolCallId, agentId, end);
  }

  answerTo({ conversation, instant }: RecordOrigin): void {
    conversation.answered = instant;
  }

  /** A later answer of the model clears the failure. */
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

  /** A failure beside the turn, such as a hook: the turn itself has not failed. */
  failBookkeeping(origin: RecordOrigin, part: PlainPart): void {
    origin.conversation.failedBookkeeping++;
    this.facts?.fail(origin, { error: part.cause?.() }, "failed");
  }

  finish({ conversation, place, isInner, instant }: RecordOrigin): void {
    conversation.finish(place, isInner, instant);
  }

  /** @param tokensBefore size of the context from another record. Default is unknown */
  compaction(origin: RecordOrigin, durationMs: number, tokensBefore = 0): void {
    this.facts?.compact(origin);
    // An impossible duration would give an invalid instant.
    this.push(origin, RowKind.compactionStart, {
      instant: instantOf(origin.instant - durationMs) ?? origin.instant,
      detail: tokensBefore,
    });
    this.push(origin, RowKind.compactionEnd, { isMain: true, detail: tokensBefore });
  }

  /**
   * For a record that repeats another.
   * @param detail for a sub-agent's record: its conversation's ordinal plus one. Default is 0
   */
  repeat(origin: RecordOrigin, detail = 0): void {
    this.push(origin, RowKind.repeat, { isMain: true, detail });
  }

  passThrough(origin: RecordOrigin): void {
    this.push(origin, RowKind.record, { isMain: true });
  }

  push(origin: RecordOrigin, kind: RowKind, row: OwnOfRow = {}): void {
    const sequence = row.sequence ?? origin.conversation.nextSequence++;
    if (this.options.retainsRows) this.rows.push(rowOf(origin, kind, sequence, row));
  }
}
