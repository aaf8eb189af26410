import type { ContextRemoval } from "../../domain/conversation/conversation-outline.js";
import type { TokenUsage } from "../../domain/session/session.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import { formatInstant, instantOf } from "../../domain/trace/instant.js";
import { LineProblems } from "../files/bytes/line-problems.js";
import { ModelCalls, ToolCalls, type ToolOutcome } from "./calls.js";
import { ConversationState, known } from "./conversation-state.js";
import { MessagePlaces } from "./message-places.js";
import type { BlockLocation, RecordOrigin, SpawnNote, TitleHints, TraceRecorderOptions } from "./recorded.js";
import {
  type LineLocation,
  OUTCOMES,
  type RecordedRow,
  RowKind,
  TraceRows,
  type TurnOutcome,
} from "./trace-rows.js";

/** What a file takes besides what its columns and tables hold, in bytes: measured as resident memory, with thousands of short files. */
const KEPT_BESIDES = 9_000;
const SUMMED_UP_BESIDES = 2_000;

/**
 * Takes what the records of one file mean, in their order: turns, model calls, tool calls, errors, compactions, sub-agents. It
 * owns sequences, ends that no record gives, usage that is reported more than once, and the state of the newest turn. A format
 * calls it for each record; what it has taken is extended when the file grows.
 */
export class TraceRecorder {
  readonly options: TraceRecorderOptions;
  readonly rows = new TraceRows();
  /** Of the file's own conversation. */
  readonly messages = new MessagePlaces();
  readonly conversations: ConversationState[] = [];
  readonly calls = new ModelCalls();
  readonly tools = new ToolCalls();
  readonly problems = new LineProblems();
  /** The titles that the file contains: a format adds to it. */
  readonly titles: TitleHints = { claims: [] };
  /** The folder that the agent worked in, as the first record names it that knows: a format sets it. */
  directory: string | undefined;
  /** What the file's own conversation said last, where the file is only summed up. */
  lastAnswer: string | undefined;
  /** How many lines are replays, and the first one: all there is to show of a file that holds nothing else. */
  replayed = 0;
  firstReplay: LineLocation | undefined;
  readonly #ordinals = new Map<string, number>();
  readonly #aliases = new Map<string, ConversationState>();
  readonly #seen = new Set<number>();

  constructor(options: TraceRecorderOptions) {
    this.options = options;
    this.conversation(options.agentId);
  }

  get bytes(): number {
    const entries = this.conversations.length * 500 + this.#aliases.size * 100 + this.#seen.size * 40;
    const parts = [this.calls, this.tools, this.rows, this.messages];
    const besides = this.options.keepsRows ? KEPT_BESIDES : SUMMED_UP_BESIDES;
    return parts.reduce((sum, part) => sum + part.bytes, entries + besides);
  }

  get main(): ConversationState {
    return this.conversations[0]!;
  }

  /**
   * A conversation by its agent, begun where it is new.
   *
   * @param isProgress whether it is known only from records inside of other records: it is kept apart from the agent's own lines
   */
  conversation(agentId: string, isProgress = false): ConversationState {
    const key = `${isProgress ? "progress" : ""}\0${agentId}`;
    const ordinal = this.#ordinals.get(key);
    if (ordinal !== undefined) return this.conversations[ordinal]!;
    const conversation = new ConversationState(agentId, this.conversations.length, isProgress);
    this.#ordinals.set(key, conversation.ordinal);
    this.conversations.push(conversation);
    return conversation;
  }

  /** The conversation of a record that names no agent, found by the record that it follows. */
  conversationBehind(parentId: string, recordId: string): ConversationState {
    const conversation = this.#aliases.get(parentId) ?? this.conversation(recordId || "sidechain");
    this.#aliases.set(recordId, conversation);
    return conversation;
  }

  /** Whether a record with the same id came before in the file. */
  isRepeated(recordId: string | undefined): boolean {
    if (!this.options.keepsRows || recordId === undefined) return false;
    const key = hash53(recordId);
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  /** @param messageId of a message that may be written again: the last one takes the place of those before it */
  noteMessage(place: LineLocation, messageId?: string): void {
    if (this.options.keepsRows) this.messages.add(place, messageId);
  }

  /** How many messages of the file's own conversation there are so far. */
  get messageCount(): number {
    return this.messages.size;
  }

  /**
   * Model calls of the file's own conversation do not see some of its messages any more, or results of tools.
   *
   * @param removal messages by how many there were when each was noted
   * @param at how many messages there were. Default is as many as there are now
   */
  remove(
    { instant }: RecordOrigin,
    removal: Omit<ContextRemoval, "at" | "timestamp">,
    at: number = this.messageCount,
  ): void {
    if (!this.options.keepsRows) return;
    const timestamp = Number.isNaN(instant) ? {} : { timestamp: formatInstant(instant) };
    this.messages.remove({ at, ...timestamp, ...removal });
  }

  noteReplay(place: LineLocation): void {
    this.replayed++;
    this.firstReplay ??= place;
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
  beginTurn(origin: RecordOrigin, prompt: string | undefined, isMain = true): void {
    const { conversation } = origin;
    this.endCall(conversation);
    if (conversation.isTurnOpen)
      this.#endTurn(origin, conversation.hasFailed ? "failed" : "completed", false);
    conversation.askedAt ??= known(origin.instant);
    conversation.firstPrompt ??= prompt?.slice(0, PROMPT_LENGTH);
    if (prompt !== undefined) conversation.promptKey ??= hash53(prompt);
    this.push(origin, RowKind.turnStart, { isMain, detail: conversation.beginTurn() });
    conversation.answered = origin.instant;
  }

  /** Ends the turn by a record. Without an open turn it is a record like any other. */
  endTurn(origin: RecordOrigin, outcome?: TurnOutcome): void {
    const { conversation } = origin;
    this.endCall(conversation);
    if (!conversation.isTurnOpen) this.passThrough(origin);
    else this.#endTurn(origin, outcome ?? (conversation.hasFailed ? "failed" : "completed"), true);
  }

  #endTurn(origin: RecordOrigin, outcome: TurnOutcome, isMain: boolean): void {
    const { conversation } = origin;
    const detail = (conversation.turns - 1) * OUTCOMES.length + OUTCOMES.indexOf(outcome);
    const { end } = conversation;
    if (isMain) this.push(origin, RowKind.turnEnd, { isMain, detail });
    else if (end === undefined) {
      this.push(origin, RowKind.turnEnd, { detail, instant: conversation.previousInstant });
    } else {
      const { place, isInner, instant, sequence } = end;
      this.push({ ...origin, place, isInner }, RowKind.turnEnd, { detail, instant, sequence });
    }
    conversation.hasFailed = outcome === "failed";
    conversation.endTurn();
  }

  /**
   * A part of a message of the model, whose calls may be written as several records.
   *
   * @param model where it is none of these records that names it
   * @param recordedUsd what the call cost, in US dollars, where a record says it
   */
  modelCall(
    origin: RecordOrigin,
    messageId: string | undefined,
    recordId: string,
    usage: TokenUsage,
    {
      model,
      recordedUsd,
    }: { readonly model?: string | undefined; readonly recordedUsd?: number | undefined } = {},
  ): void {
    const { conversation, place, instant, isInner } = origin;
    // Progress records repeat messages that other lines may hold: they are counted apart, because one of the two is hidden.
    const scope = conversation.isProgress ? `${conversation.ordinal} ` : "";
    const key = scope + (messageId ?? `line ${place.start}`);
    const found = this.calls.find(key);
    const call = {
      conversation: conversation.ordinal,
      callId: messageId ?? recordId,
      hasMessageId: messageId !== undefined,
      ...(model === undefined ? {} : { model }),
      asked: this.#sameText(model ?? conversation.model),
      instant,
    };
    const ordinal = found ?? this.calls.add(key, call);
    if (conversation.call !== undefined && conversation.call.key !== key) this.endCall(conversation);
    if (found === undefined) {
      const begun = Number.isNaN(conversation.answered) ? instant : Math.min(conversation.answered, instant);
      this.push(origin, RowKind.llmStart, { instant: begun, detail: ordinal });
      if (conversation === this.main && this.options.keepsRows) this.messages.addCall(call.callId, place);
    }
    this.calls.count(ordinal, usage);
    if (recordedUsd !== undefined) this.calls.list[ordinal]!.recordedUsd = recordedUsd;
    conversation.hasFailed = false;
    if (!conversation.isTurnOpen) conversation.lastTurnFailed = false;
    // A line of a call that ended already has nothing to move.
    if (found !== undefined && conversation.call === undefined) return;
    conversation.call = { key, ordinal, place, isInner, instant, sequence: undefined };
  }

  /** The text of the call before where it is the same: each record has one of its own, and there are many calls. */
  #sameText(model: string | undefined): string | undefined {
    const before = this.calls.list.at(-1)?.asked;
    return model === before ? before : model;
  }

  /** The usage of a call that another record than its own reports. */
  reportUsage(messageId: string, usage: TokenUsage): void {
    const ordinal = this.calls.find(messageId);
    if (ordinal !== undefined) this.calls.count(ordinal, usage);
  }

  /** Keeps the next sequence free for the end of the call, in case that its last line is this one. */
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
    const { ordinal, place, isInner, instant, sequence = conversation.nextSequence } = conversation.call;
    const origin = { conversation, place, instant, isInner, isRepeated: false };
    return rowOf(origin, RowKind.llmEnd, sequence, { detail: ordinal });
  }

  /** Text, reasoning, or whatever else a message holds. */
  block(origin: RecordOrigin, row: BlockLocation): void {
    this.push(origin, RowKind.block, row);
  }

  /** The model has spoken before its tools begin: that is where its call ends, if no line of it follows. */
  beginTool(
    origin: RecordOrigin,
    toolCallId: string,
    name: string,
    row: BlockLocation,
    spawn?: SpawnNote,
  ): void {
    this.markCallEnd(origin);
    this.tools.begin(toolCallId, name);
    this.push(origin, RowKind.toolStart, row);
    if (spawn === undefined) return;
    const { prompt, ...rest } = spawn;
    this.tools.spawns.set(toolCallId, {
      toolCallId,
      ...rest,
      promptKey: prompt === undefined ? undefined : hash53(prompt),
      callerId: origin.conversation.agentId,
      instant: known(origin.instant),
      result: undefined,
    });
  }

  /**
   * @param agentId the sub-agent that the result names
   * @param isLaunch whether the agent goes on in the background: then this is not its result
   */
  endTool(
    origin: RecordOrigin,
    toolCallId: string,
    row: BlockLocation,
    result: {
      readonly outcome: ToolOutcome;
      readonly agentId: string | undefined;
      readonly isLaunch: boolean;
    },
  ): void {
    this.push(origin, RowKind.toolEnd, { ...row, detail: this.tools.end(toolCallId) });
    if (result.outcome === "failed") origin.conversation.countError();
    if (result.agentId !== undefined) this.tools.link(result.agentId, toolCallId);
    const spawn = this.tools.spawns.get(toolCallId);
    if (spawn === undefined) return;
    const { place, isInner } = origin;
    const { outcome, isLaunch } = result;
    spawn.result = { place, isInner, block: row.block, instant: known(origin.instant), outcome, isLaunch };
  }

  /** The next model call answers this record. */
  answerTo({ conversation, instant }: RecordOrigin): void {
    conversation.answered = instant;
  }

  /** An error is no failure once the model has answered again: that takes it back. */
  fail(origin: RecordOrigin, isLast: boolean): void {
    const { conversation } = origin;
    this.push(origin, RowKind.error, { isMain: true });
    conversation.countError();
    conversation.hasFailed = true;
    conversation.end = undefined;
    if (isLast) this.finish(origin);
    if (!conversation.isTurnOpen) conversation.lastTurnFailed = true;
  }

  /** A hook of the runtime failed, or the like: an error beside the turn, which has not failed for it. */
  failBookkeeping({ conversation }: RecordOrigin): void {
    conversation.failedBookkeeping++;
  }

  /** The conversation waits for nothing any more, according to the record. */
  finish({ conversation, place, isInner, instant }: RecordOrigin): void {
    conversation.finish(place, isInner, instant);
  }

  /** @param tokensBefore how large the context was, where another record says it. Default is unknown */
  compaction(origin: RecordOrigin, durationMs: number, tokensBefore = 0): void {
    // Of a duration that cannot be, the beginning would be no instant.
    this.push(origin, RowKind.compactionStart, {
      instant: instantOf(origin.instant - durationMs) ?? origin.instant,
      detail: tokensBefore,
    });
    this.push(origin, RowKind.compactionEnd, { isMain: true, detail: tokensBefore });
  }

  /** A record that says again what another one of the file does. */
  repeat(origin: RecordOrigin): void {
    this.push(origin, RowKind.repeat, { isMain: true });
  }

  /** A record that means none of the above. */
  passThrough(origin: RecordOrigin, detail = 0): void {
    this.push(origin, RowKind.record, { isMain: true, detail });
  }

  push(origin: RecordOrigin, kind: RowKind, row: OwnOfRow = {}): void {
    const sequence = row.sequence ?? origin.conversation.nextSequence++;
    if (this.options.keepsRows) this.rows.push(rowOf(origin, kind, sequence, row));
  }
}

/** What a row does not have from its record. */
type OwnOfRow = Partial<Pick<RecordedRow, "isMain" | "block" | "sequence" | "instant" | "detail">>;

const PROMPT_LENGTH = 1_200;

/** Member by member: objects put together by spreading cost ten times as much, and this is done for each envelope. */
export function rowOf(
  { conversation, place, instant, isInner, isRepeated }: RecordOrigin,
  kind: RowKind,
  sequence: number,
  row: OwnOfRow,
): RecordedRow {
  return {
    start: place.start,
    length: place.length,
    line: place.line,
    content: place.content,
    kind,
    isMain: row.isMain ?? false,
    isInner,
    isRepeated,
    block: row.block ?? 0,
    conversation: conversation.ordinal,
    sequence,
    instant: row.instant ?? instant,
    detail: row.detail ?? 0,
  };
}
