import { NO_USAGE, type TokenUsage, totalTokens, usageOf } from "../../../domain/session/session.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import type { ToolOutcome } from "../../transcripts/calls.js";
import type { RecordOrigin, SpawnNote } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import type { TurnOutcome } from "../../transcripts/trace-rows.js";

/** Which of two kinds of record that hold the same texts. */
export type Teller = "item" | "event";

/**
 * A conversation whose records name neither their model call nor their turn: both follow from the order. A call goes on until the model
 * was given something, and its usage is reported by another record, before or behind its own. A turn lasts as long as the task
 * that was started for it, else until the next prompt. Texts may be told by two records each.
 */
export class OrderedConversation {
  readonly #out: TraceRecorder;
  readonly #usage = new CumulativeUsage();
  readonly #told = new RecentTexts();
  model: string | undefined;
  /** How large the context was at the last report. */
  contextTokens = 0;
  /** Whether the conversation began elsewhere, with totals that are not known here. */
  isContinued: boolean;
  #call: string | undefined;
  #isCounted = false;
  /** Whether the model was given something since: the next of its records begins a call. */
  #isAsked = true;
  /** Whether a task was started, of which nothing came yet. */
  #isPending = false;
  #isTask = false;
  #hasWorked = false;
  /** The calls that an event ended, before the item with their output. */
  readonly #ended = new Set<string>();
  /** How many compactions no event has told yet. */
  #untold = 0;

  constructor(out: TraceRecorder) {
    this.#out = out;
    this.isContinued = out.options.isContinued;
  }

  /** A task begins its turn with what comes first: a prompt, or work. */
  startTask(): void {
    this.#isPending = true;
    this.#isTask = true;
    this.#isAsked = true;
  }

  /** What the model is given: its next record begins another call. */
  ask(origin: RecordOrigin): void {
    this.#isAsked = true;
    this.#out.answerTo(origin);
  }

  /** A prompt begins a turn; one that comes while a task runs is shown in its turn. */
  prompt(origin: RecordOrigin, by: Teller, told: string, prompt: string): boolean {
    if (this.#told.isRepeated(by, told)) {
      this.#out.repeat(origin);
      return false;
    }
    this.begin(origin, prompt);
    return true;
  }

  /** The same where no other record tells it. */
  begin(origin: RecordOrigin, prompt: string): void {
    if (!this.#isPending && this.#isTask && origin.conversation.isTurnOpen) this.show(origin);
    else this.#beginTurn(origin, prompt, true);
    this.ask(origin);
  }

  #beginTurn(origin: RecordOrigin, prompt: string | undefined, isMain: boolean): void {
    this.#isTask = this.#isPending;
    this.#isPending = false;
    this.#hasWorked = false;
    this.#out.beginTurn(origin, prompt, isMain);
  }

  /** Work or its end begins the turn of a task without a prompt. */
  #beginPending(origin: RecordOrigin): void {
    if (this.#isPending) this.#beginTurn(origin, undefined, false);
  }

  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  endTurn(origin: RecordOrigin, outcome: TurnOutcome | undefined): void {
    this.#beginPending(origin);
    this.#out.endTurn(origin, outcome);
    this.#out.finish(origin);
    this.#isTask = false;
    this.#isAsked = true;
  }

  /** What is neither the model's nor a prompt. */
  show(origin: RecordOrigin): void {
    this.#out.block(origin, { isMain: true, block: 0 });
  }

  /** A record of the model: of the call that goes on, or of the next one. */
  work(origin: RecordOrigin): void {
    this.#beginPending(origin);
    this.#hasWorked = true;
    if (this.#isAsked) this.#beginCall(origin);
    this.#out.modelCall(origin, this.#call, "", NO_USAGE, { model: this.model });
    origin.conversation.model = this.model ?? origin.conversation.model;
    origin.conversation.end = undefined;
  }

  #beginCall({ place }: RecordOrigin): void {
    this.#call = `${this.#out.options.agentId}#${place.line}`;
    this.#isCounted = false;
    this.#isAsked = false;
  }

  /** What the model says. Without a task, the turn is over where it says nothing more. */
  say(origin: RecordOrigin, by: Teller, text: string): void {
    this.work(origin);
    if (this.#told.isRepeated(by, text)) this.#out.repeat(origin);
    else this.show(origin);
    this.#out.markCallEnd(origin);
    origin.conversation.lastText = { ...origin.place, isInner: false };
    if (!this.#isTask) this.#out.finish(origin);
  }

  /** What the model thinks: those of the thoughts that were not told yet; that it did where none can be read. */
  think(origin: RecordOrigin, by: Teller, thoughts: readonly string[]): void {
    this.work(origin);
    const untold = thoughts.flatMap((thought, at) => (this.#told.isRepeated(by, thought) ? [] : [at]));
    if (thoughts.length > 0 && untold.length === 0) this.#out.repeat(origin);
    const blocks = thoughts.length === 0 ? [0] : untold;
    for (const [i, block] of blocks.entries()) this.#out.block(origin, { isMain: i === 0, block });
    this.#out.markCallEnd(origin);
  }

  call(origin: RecordOrigin, toolCallId: string, toolName: string, spawn: SpawnNote | undefined): void {
    this.work(origin);
    this.#out.beginTool(origin, toolCallId, toolName, { isMain: true, block: 0 }, spawn);
  }

  /**
   * The end of a call, told by its output, by an event, or by both: the second one repeats it.
   *
   * @param result how it ended, the sub-agent that it names, and whether it has a record of its own. Default is that it has
   * @returns false for an event that ends none
   */
  endCall(
    origin: RecordOrigin,
    by: Teller,
    toolCallId: string,
    result: {
      readonly outcome: ToolOutcome;
      readonly agentId?: string | undefined;
      readonly isMain?: boolean;
    },
  ): boolean {
    const { outcome, agentId, isMain = true } = result;
    if (by === "event" && !this.#out.tools.isOpen(toolCallId)) return false;
    if (by === "event") this.#ended.add(toolCallId);
    else if (isMain) this.ask(origin);
    if (by === "item" && this.#ended.delete(toolCallId)) this.#out.repeat(origin);
    else this.#out.endTool(origin, toolCallId, { isMain, block: 0 }, { outcome, agentId, isLaunch: true });
    return true;
  }

  compact(origin: RecordOrigin, by: Teller): void {
    this.ask(origin);
    if (by === "event" && this.#untold > 0) {
      this.#untold--;
      this.#out.repeat(origin);
      return;
    }
    if (by === "item") this.#untold++;
    this.#out.compaction(origin, 0, this.contextTokens);
  }

  /** An error that ends what the model did. */
  fail(origin: RecordOrigin): void {
    this.#beginPending(origin);
    this.#out.endCall(origin.conversation);
    this.#out.fail(origin, true);
  }

  /** Totals that another file was counted for. */
  passTotals(total: TokenUsage): void {
    this.#usage.goOnFrom(total);
  }

  /** Totals up to now, with what the last call used: they count for the call that has no usage yet, else for the next one. */
  reportTotals(origin: RecordOrigin, total: TokenUsage, last: TokenUsage): void {
    if (totalTokens(total) === 0) return;
    // Before the first call, the totals of a conversation that goes on are those that it had elsewhere.
    if (this.isContinued && !this.#usage.isBegun)
      this.#usage.goOnFrom(this.#call === undefined ? total : difference(total, last));
    const used = this.#usage.since(total);
    if (used === undefined) return;
    if (this.#call === undefined || this.#isCounted) {
      this.#beginCall(origin);
      this.#out.modelCall(origin, this.#call, "", NO_USAGE, { model: this.model });
      origin.conversation.model = this.model ?? origin.conversation.model;
      this.#out.markCallEnd(origin);
    }
    this.#out.reportUsage(this.#call!, used);
    this.#isCounted = true;
  }
}

/** How many texts are remembered that were told once, and how much of each. */
const MOST = 64;
const MOST_LENGTH = 4_096;

/** Finds texts that records of two kinds both tell, whichever comes first. White space does not tell texts apart. */
export class RecentTexts {
  /** By text, how often it was told by which kind. */
  readonly #told = new Map<number, { by: "item" | "event"; times: number }>();

  /** Whether a record of the other kind told the text already, so that this one repeats it. */
  isRepeated(by: "item" | "event", text: string): boolean {
    const key = keyOf(text);
    const told = this.#told.get(key);
    if (told !== undefined && told.by !== by) {
      if (--told.times === 0) this.#told.delete(key);
      return true;
    }
    if (told !== undefined) told.times++;
    else this.#told.set(key, { by, times: 1 });
    if (this.#told.size > MOST) this.#told.delete(this.#told.keys().next().value!);
    return false;
  }
}

/** A hash of a text without its white space. */
function keyOf(text: string): number {
  return hash53(text.slice(0, MOST_LENGTH).replace(/\s+/g, ""));
}

/** Usage that a history reports as totals, which are repeated and may go on from those of another file. */
export class CumulativeUsage {
  #total: TokenUsage | undefined;

  /** Takes totals that others have been counted for already. */
  goOnFrom(total: TokenUsage): void {
    this.#total = total;
  }

  get isBegun(): boolean {
    return this.#total !== undefined;
  }

  /** What was used since the totals before; `undefined` for totals that are repeated. Lower ones are a new beginning. */
  since(total: TokenUsage): TokenUsage | undefined {
    const before = this.#total ?? NO_USAGE;
    this.#total = total;
    const isLess = totalTokens(total) < totalTokens(before);
    const used = isLess ? total : difference(total, before);
    return totalTokens(used) === 0 ? undefined : used;
  }
}

/** The first without the second. */
export function difference(a: TokenUsage, b: TokenUsage): TokenUsage {
  return usageOf({
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    cacheReadTokens: a.cacheReadTokens - b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens - b.cacheWriteTokens,
  });
}
