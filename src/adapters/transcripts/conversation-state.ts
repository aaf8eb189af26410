import { type CallStep, followCall, type OpenCalls } from "../../domain/session/open-calls.js";
import { NO_ACTIVITY, type RunActivity } from "../../domain/session/session-activity.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import { isOwnError } from "../../domain/trace/outcome.js";
import type { MessagePlaces } from "./message-places.js";
import type { PromptPart } from "./parts.js";
import type { LineLocation } from "./trace-rows.js";

/** Maximum stored length of a prompt, in characters. */
const PROMPT_LENGTH = 1_200;

/** The model call whose lines are being read: one API message is written as several lines. */
export interface OpenCall {
  readonly key: string;
  readonly ordinal: number;
  /** Location of its last line so far, and the part of that line about the call. */
  readonly place: LineLocation;
  readonly part: number;
  readonly isInner: boolean;
  readonly instant: number;
  /** Reserved for the end of the call: after the texts of that line and before its tool calls. */
  sequence: number | undefined;
}

/** End of a turn that no record ends. A sequence number is reserved for it. */
export interface ConversationEnd {
  readonly place: LineLocation;
  readonly isInner: boolean;
  readonly instant: number;
  readonly sequence: number;
}

/** The session's own conversation, or a sub-agent's, as far as one file contains it. */
export class ConversationState {
  /** `""` for the session's own. */
  readonly agentId: string;
  readonly ordinal: number;
  /** True if only progress records mention it so far: it is skipped if the agent has a file. */
  readonly isProgress: boolean;
  /** 0 is reserved for `session.start`. */
  nextSequence = 1;
  isStarted = false;
  /** The first line: what `session.start` is derived from where no record has a `uuid`. */
  firstPlace: LineLocation | undefined;
  firstInstant = Number.NaN;
  lastInstant = Number.NaN;
  /** The instant of the line before. */
  previousInstant = Number.NaN;
  newest = Number.NEGATIVE_INFINITY;
  /** Its messages, where they lie in the file of another conversation. */
  messages: MessagePlaces | undefined;
  turns = 0;
  /** Number of these turns without a person's prompt. */
  unaskedTurns = 0;
  isTurnOpen = false;
  /** Number of failed calls and turns: a turn counts only if nothing in it failed. */
  errors = 0;
  /** Number of bookkeeping records that report a failure. */
  failedBookkeeping = 0;
  /** True if something in the open turn failed. */
  hasFailedPart = false;
  /** The newest answer of the API was an error. */
  hasFailed = false;
  /** True if the newest turn that ended, ended in an error. */
  lastTurnFailed = false;
  decidedAt: number | undefined;
  /** Open questions to a person and other open calls; only for a summarised file. */
  #calls: OpenCalls = {};
  /** Location of the model's last message; `undefined` while an answer or a result is pending. */
  end: ConversationEnd | undefined;
  call: OpenCall | undefined;
  /** The model of the newest call. */
  model: string | undefined;
  /** The instant of the record that the next model call answers. */
  answered = Number.NaN;
  /** The record that holds the newest text of the model. */
  lastText: (LineLocation & { readonly isInner: boolean }) | undefined;
  /** The beginning of the first prompt, as a person would say it. */
  asked: string | undefined;
  /** The instant of the first prompt: a file may begin with copies of older records. */
  askedAt: number | undefined;
  /** A hash of the first prompt: version 1.0 names no sub-agent in a Task, so the two are matched by it. */
  promptKey: number | undefined;

  constructor(agentId: string, ordinal: number, isProgress: boolean) {
    this.agentId = agentId;
    this.ordinal = ordinal;
    this.isProgress = isProgress;
  }

  /** Takes the instant of a line; a line without one is as old as the one before it. */
  advance(instant: number | undefined, place: LineLocation): number {
    this.firstPlace ??= place;
    this.previousInstant = this.lastInstant;
    if (instant === undefined) return this.lastInstant;
    if (Number.isNaN(this.firstInstant)) this.firstInstant = instant;
    this.lastInstant = instant;
    this.newest = Math.max(this.newest, instant);
    return instant;
  }

  /** Records the beginning of a turn; it may have no person's prompt. */
  ask(instant: number, part: PromptPart | undefined): void {
    if (part?.isAsked === false) {
      this.unaskedTurns++;
      return;
    }
    this.askedAt ??= known(instant);
    const prompt = part?.prompt;
    if (prompt === undefined) return;
    const beginning = prompt.slice(0, PROMPT_LENGTH);
    this.asked ??= part!.asked?.(beginning) ?? beginning;
    this.promptKey ??= hash53(prompt);
  }

  /** Records a step of a call; the conversation determines the agent. */
  followCall(step: Omit<CallStep, "traceId" | "agentId" | "instant">): void {
    const key = { traceId: "", agentId: this.agentId };
    this.#calls = followCall(this.#calls, { ...key, ...step, instant: known(this.lastInstant) });
  }

  /** Nothing is waited for that was called before. */
  endCalls(): void {
    this.#calls = {};
  }

  beginTurn(): number {
    this.endCalls();
    this.isTurnOpen = true;
    this.end = undefined;
    this.hasFailed = false;
    this.hasFailedPart = false;
    this.decidedAt = known(this.lastInstant) ?? this.decidedAt;
    return this.turns++;
  }

  /** A call failed, or the API answered with an error. */
  countError(): void {
    this.errors++;
    this.hasFailedPart = true;
  }

  /** The model has answered again. */
  takeFailureBack(): void {
    this.hasFailed = false;
    if (!this.isTurnOpen) this.lastTurnFailed = false;
  }

  /** @returns whether the turn failed, and nothing in it did */
  endTurn(): boolean {
    const isError = isOwnError(this.hasFailed, this.hasFailedPart);
    if (isError) this.errors++;
    this.endCalls();
    this.isTurnOpen = false;
    this.lastTurnFailed = this.hasFailed;
    this.decidedAt = known(this.lastInstant) ?? this.decidedAt;
    return isError;
  }

  get isFinished(): boolean {
    return this.end !== undefined;
  }

  finish(place: LineLocation, isInner: boolean, instant: number): void {
    this.end = { place, isInner, instant, sequence: this.nextSequence++ };
  }

  /** Returns the conversation's contribution to the session's status. */
  activity(): RunActivity {
    const isRunning = this.isTurnOpen && !this.isFinished;
    const failed = this.isTurnOpen ? this.isFinished && this.hasFailed : this.lastTurnFailed;
    const calls = isRunning ? this.#calls : {};
    return { ...NO_ACTIVITY, open: isRunning ? ["turn"] : [], failed, decidedAt: this.decidedAt, ...calls };
  }
}

export function known(instant: number): number | undefined {
  return Number.isFinite(instant) ? instant : undefined;
}
