import {
  type CallActivity,
  type CallStep,
  followCall,
  withDuration,
  withLists,
} from "../../../domain/session/open-calls.js";
import { NO_ACTIVITY, type RunActivity } from "../../../domain/session/session-activity.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { isOwnError } from "../../../domain/trace/outcome.js";
import type { MessagePlaces } from "./message-places.js";
import type { PromptPart } from "./parts.js";
import type { LineLocation } from "./trace-rows.js";

const PROMPT_LENGTH = 1_200;

/** The current model call: one API message spans several lines. */
export interface OpenCall {
  readonly key: string;
  readonly ordinal: number;
  readonly place: LineLocation;
  readonly part: number;
  readonly isInner: boolean;
  readonly isBeside: boolean;
  readonly instant: number;
  /** Reserved for the call's end, between the texts of that line and its tool calls. */
  sequence: number | undefined;
}

export interface ConversationEnd {
  readonly place: LineLocation;
  readonly isInner: boolean;
  readonly instant: number;
  readonly sequence: number;
}

/** The session's or a sub-agent's conversation, as far as one file contains it. */
export class ConversationState {
  /** `""` for the session's own. */
  readonly agentId: string;
  readonly ordinal: number;
  /** True while only progress records mention it: it is skipped if the agent has a file. */
  readonly isProgress: boolean;
  /** 0 is reserved for `session.start`. */
  nextSequence = 1;
  isStarted = false;
  /** Names `session.start` if no record has a `uuid`. */
  firstPlace: LineLocation | undefined;
  firstInstant = Number.NaN;
  lastInstant = Number.NaN;
  previousInstant = Number.NaN;
  newest = Number.NEGATIVE_INFINITY;
  messages: MessagePlaces | undefined;
  turns = 0;
  unaskedTurns = 0;
  isTurnOpen = false;
  /** Failed calls and turns; a failed turn counts only if nothing in it failed. */
  errors = 0;
  failedBookkeeping = 0;
  hasFailedPart = false;
  hasFailed = false;
  lastTurnFailed = false;
  decidedAt: number | undefined;
  /** Calls and questions to a person; only for a summarised file. */
  #calls: CallActivity = {};
  /** Location of the model's last message; `undefined` while an answer or a result is pending. */
  end: ConversationEnd | undefined;
  call: OpenCall | undefined;
  model: string | undefined;
  answered = Number.NaN;
  /** End of its ended model calls: the next call begins no earlier. */
  calledUntil = Number.NEGATIVE_INFINITY;
  lastText: (LineLocation & { readonly isInner: boolean }) | undefined;
  firstPrompt: string | undefined;
  /** Instant of the first prompt: a file may begin with copies of older records. */
  firstPromptAt: number | undefined;
  /** Hash of the first prompt: version 1.0 names no sub-agent in a Task, so the prompt matches them. */
  promptKey: number | undefined;

  constructor(agentId: string, ordinal: number, isProgress: boolean) {
    this.agentId = agentId;
    this.ordinal = ordinal;
    this.isProgress = isProgress;
  }

  /** A line without an instant is as old as the previous one. */
  advance(instant: number | undefined, place: LineLocation): number {
    this.firstPlace ??= place;
    this.previousInstant = this.lastInstant;
    if (instant === undefined) return this.lastInstant;
    if (Number.isNaN(this.firstInstant)) this.firstInstant = instant;
    this.lastInstant = instant;
    this.newest = Math.max(this.newest, instant);
    return instant;
  }

  ask(instant: number, part: PromptPart | undefined): void {
    if (part?.isPrompt === false) {
      this.unaskedTurns++;
      return;
    }
    this.firstPromptAt ??= validInstant(instant);
    const prompt = part?.prompt;
    if (prompt === undefined) return;
    const beginning = prompt.slice(0, PROMPT_LENGTH);
    this.firstPrompt ??= part!.promptOf?.(beginning) ?? beginning;
    this.promptKey ??= hash53(prompt);
  }

  followCall(step: Omit<CallStep, "traceId" | "agentId" | "instant">): void {
    // Member by member: spreads are slow, and a file has many calls.
    const { does, callId, question, timeoutMs, toolName, input, result } = step;
    const { agentId } = this;
    const instant = validInstant(this.lastInstant);
    const own = { traceId: "", agentId, callId, does, instant, question, timeoutMs, toolName, input, result };
    this.#calls = followCall(this.#calls, own);
  }

  closeCall(): void {
    const { instant = Number.NaN, isBeside = false } = this.call ?? {};
    if (!isBeside && instant > this.calledUntil) this.calledUntil = instant;
    this.call = undefined;
  }

  endCalls(): void {
    this.#calls = withLists({ longest: this.#calls.longest, series: this.#calls.series });
  }

  endModelCall(durationMs: number): void {
    this.#calls = withDuration(this.#calls, "", durationMs);
  }

  beginTurn(): number {
    this.#calls = withLists({ longest: this.#calls.longest });
    this.isTurnOpen = true;
    this.end = undefined;
    this.hasFailed = false;
    this.hasFailedPart = false;
    this.decidedAt = validInstant(this.lastInstant) ?? this.decidedAt;
    return this.turns++;
  }

  countError(): void {
    this.errors++;
    this.hasFailedPart = true;
  }

  takeFailureBack(): void {
    this.hasFailed = false;
    if (!this.isTurnOpen) this.lastTurnFailed = false;
  }

  endTurn(): boolean {
    const isError = isOwnError(this.hasFailed, this.hasFailedPart);
    if (isError) this.errors++;
    this.endCalls();
    this.isTurnOpen = false;
    this.lastTurnFailed = this.hasFailed;
    this.decidedAt = validInstant(this.lastInstant) ?? this.decidedAt;
    return isError;
  }

  get isFinished(): boolean {
    return this.end !== undefined;
  }

  finish(place: LineLocation, isInner: boolean, instant: number): void {
    this.end = { place, isInner, instant, sequence: this.nextSequence++ };
  }

  activity(): RunActivity {
    const isRunning = this.isTurnOpen && !this.isFinished;
    const failed = this.isTurnOpen ? this.isFinished && this.hasFailed : this.lastTurnFailed;
    const calls = isRunning ? this.#calls : {};
    return { ...NO_ACTIVITY, open: isRunning ? ["turn"] : [], failed, decidedAt: this.decidedAt, ...calls };
  }
}

export function validInstant(instant: number): number | undefined {
  return Number.isFinite(instant) ? instant : undefined;
}
