import { NO_USAGE, type TokenUsage, totalTokens } from "../../../domain/usage/token-usage.js";
import { FIRST, followPart } from "../../transcripts/follow-part.js";
import type { Follower } from "../../transcripts/format.js";
import type { RecordParts } from "../../transcripts/parts.js";
import type { PartLocation, RecordOrigin } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import type { LineLocation } from "../../transcripts/trace-rows.js";
import type { CodexPart } from "./part-kinds.js";
import { RecentTexts } from "./recent-texts.js";
import { CumulativeUsage, difference } from "./usage.js";

type PartOf<Is extends CodexPart["is"]> = Extract<CodexPart, { readonly is: Is }>;

/**
 * Follows a conversation whose records name neither their model call nor their turn: both follow from the order. A call continues until
 * the model receives new input. Its usage is reported by another record, before or after the call's own record.
 *
 * A turn lasts as long as the task that was started for it, otherwise until the next prompt. Two records may report the same text.
 */
export class CodexFollower implements Follower<RecordParts<CodexPart>> {
  readonly #out: TraceRecorder;
  readonly #usage = new CumulativeUsage();
  readonly #told = new RecentTexts();
  /** Ids of reports by events that items repeat. */
  readonly #named = new Set<string>();
  #model: string | undefined;
  /** Size of the context at the last report, in tokens. */
  #contextTokens = 0;
  /** True if the conversation began elsewhere, with totals that are not available here. */
  #isContinued: boolean;
  #call: string | undefined;
  #isCounted = false;
  /** The answers of the model whose usage was counted, by their ids. */
  readonly #responses = new Set<string>();
  /** True if the model received input since its last record: its next record begins a call. */
  #isAsked = true;
  /** True if a task was started without a record so far. */
  #isPending = false;
  #isTask = false;
  #hasWorked = false;
  /** The calls that an event ended, before the item with their output. */
  readonly #ended = new Set<string>();
  /** Number of messages before each prompt that was not taken back. */
  #prompts: number[] = [];
  /** Number of compactions that no event has reported yet. */
  #untold = 0;

  constructor(out: TraceRecorder) {
    this.#out = out;
    this.#isContinued = out.options.isContinued;
  }

  passCopy({ parts: [part] }: RecordParts<CodexPart>): void {
    if (part?.is === "settings") this.#model = part.model ?? this.#model;
    else if (part?.is === "usage" && part.isKnown) this.#usage.goOnFrom(part.total);
  }

  follow({ parts, instant, isMessage }: RecordParts<CodexPart>, place: LineLocation): void {
    if (isMessage) this.#out.noteMessage(place);
    const origin = this.#out.originOf(instant, place);
    const [part, second] = parts;
    switch (part?.is) {
      case "prompt":
        return this.#prompt(origin, part);
      case "input":
        this.#out.block(origin, FIRST);
        return this.#ask(origin);
      case "text":
        return this.#say(origin, part);
      case "thinking":
        return this.#think(origin, parts as readonly PartOf<"thinking">[]);
      case "call":
        this.#work(origin);
        this.#out.beginTool(origin, part, FIRST);
        if (second?.is === "result") this.#endTool(origin, second, { isMain: false, part: 1 });
        return;
      case "result":
        return this.#endCall(origin, part);
      case "compaction":
        return this.#compact(origin, part.by === "item");
      case "turn end":
        return this.#endTurn(origin, part);
      case "twin":
        return this.#out.repeat(origin);
      case "error":
        this.#beginPending(origin);
        return followPart(this.#out, origin, part);
    }
    if (part !== undefined) this.#note(origin, part);
    this.#out.passThrough(origin);
  }

  /** Stores facts from records that are displayed unchanged. */
  #note(origin: RecordOrigin, part: CodexPart): void {
    switch (part.is) {
      case "session":
        this.#isContinued ||= part.isContinued;
        return this.#out.start(origin);
      case "settings":
        this.#model = part.model ?? this.#model;
        return;
      case "task":
        this.#isPending = true;
        this.#isTask = true;
        this.#isAsked = true;
        return;
      case "call usage":
        return this.#countCall(origin, part.responseId, part.usage);
      case "usage":
        this.#contextTokens = part.contextTokens;
        return this.#count(origin, part);
      case "title":
        return this.#out.noteTitles(part.titles);
      case "rewind":
        return this.#rewind(origin, part.turns);
      case "spawn":
        return this.#out.tools.link(part.agentId, part.toolCallId);
    }
  }

  /** Adds input of the model: its next record begins another call. */
  #ask(origin: RecordOrigin): void {
    this.#isAsked = true;
    this.#out.answerTo(origin);
  }

  /** A prompt begins a turn; a prompt during a task is displayed in the task's turn. */
  #prompt(origin: RecordOrigin, part: PartOf<"prompt">): void {
    // The prompt itself is the last message so far.
    if (part.by === "item") this.#prompts.push(this.#out.messageCount - 1);
    if (this.#isTold(part)) return this.#out.repeat(origin);
    if (!this.#isPending && this.#isTask && origin.conversation.isTurnOpen)
      this.#out.block(origin, { isMain: true, part: 1 });
    else this.#beginTurn(origin, part);
    this.#ask(origin);
    // Without an item for the message, the event is the message.
    if (part.by !== "event" || !part.isMessage) return;
    this.#prompts.push(this.#out.messageCount);
    this.#out.noteMessage(origin.place);
  }

  /** True if a record of the other kind reported the same before. */
  #isTold({ by, text, itemId }: Pick<PartOf<"text">, "by" | "text" | "itemId">): boolean {
    if (by === undefined || text === undefined) return false;
    const isTold = this.#told.isRepeated(by, text);
    if (itemId === undefined) return isTold;
    // An event may leave out a part of what its item says: a plan.
    if (by === "event") this.#named.add(itemId);
    return isTold || (by === "item" && this.#named.delete(itemId));
  }

  #beginTurn(origin: RecordOrigin, part: PartOf<"prompt"> | undefined): void {
    this.#isTask = this.#isPending;
    this.#isPending = false;
    this.#hasWorked = false;
    this.#out.beginTurn(origin, part, part !== undefined);
  }

  /** Work or its end begins the turn of a task without a prompt. */
  #beginPending(origin: RecordOrigin): void {
    if (this.#isPending) this.#beginTurn(origin, undefined);
  }

  /** Without an error, a failed turn is one without output of the model. */
  #endTurn(origin: RecordOrigin, { outcome, isSilent }: PartOf<"turn end">): void {
    const isFailure = outcome === undefined && isSilent && !this.#hasWorked;
    this.#beginPending(origin);
    this.#out.endTurn(origin, isFailure ? "failed" : outcome);
    this.#out.finish(origin);
    this.#isTask = false;
    this.#isAsked = true;
  }

  /** A record of the model: part of the current call, or of the next one. */
  #work(origin: RecordOrigin): void {
    this.#beginPending(origin);
    this.#hasWorked = true;
    if (this.#isAsked) this.#nameCall(origin);
    this.#recordCall(origin);
    this.#out.goOn(origin);
  }

  #nameCall({ place }: RecordOrigin): void {
    this.#call = `${this.#out.options.agentId}#${place.line}`;
    this.#isCounted = false;
    this.#isAsked = false;
  }

  #recordCall(origin: RecordOrigin): void {
    const model = this.#model;
    this.#out.modelCall(origin, {
      messageId: this.#call,
      recordId: "",
      usage: NO_USAGE,
      model,
      keepsModel: true,
    });
  }

  /** Output of the model. Without a task, the turn is over if no more output follows. */
  #say(origin: RecordOrigin, part: PartOf<"text">): void {
    this.#work(origin);
    if (this.#isTold(part)) this.#out.repeat(origin);
    else this.#out.block(origin, FIRST);
    this.#out.markCallEnd(origin);
    this.#out.say(origin);
    if (!this.#isTask) this.#out.finish(origin);
  }

  /** Adds the thoughts that were not reported before. */
  #think(origin: RecordOrigin, thoughts: readonly PartOf<"thinking">[]): void {
    this.#work(origin);
    const untold = thoughts.flatMap((thought, part) => (this.#isTold(thought) ? [] : [part]));
    if (untold.length === 0) this.#out.repeat(origin);
    for (const [i, part] of untold.entries()) this.#out.block(origin, { isMain: i === 0, part });
    this.#out.markCallEnd(origin);
  }

  /** The end of a call, reported by its output, by an event, or by both: the second record repeats it. An event may refer to no call. */
  #endCall(origin: RecordOrigin, part: PartOf<"result">): void {
    const { by, toolCallId } = part;
    if (by === "item") this.#ask(origin);
    else if (this.#out.tools.isOpen(toolCallId)) this.#ended.add(toolCallId);
    else return this.#out.passThrough(origin);
    this.#endTool(origin, part, FIRST);
  }

  #endTool(origin: RecordOrigin, part: PartOf<"result">, at: PartLocation): void {
    if (part.by === "item" && this.#ended.delete(part.toolCallId)) this.#out.repeat(origin);
    else this.#out.endTool(origin, part, at);
  }

  #compact(origin: RecordOrigin, isItem: boolean): void {
    this.#ask(origin);
    if (!isItem && this.#untold > 0) {
      this.#untold--;
      return this.#out.repeat(origin);
    }
    if (isItem) {
      this.#untold++;
      // The record's replacement history replaces the compacted messages; without one, its summary alone does.
      const last = this.#out.messageCount - 1;
      this.#out.remove(origin, { cause: "compaction", messages: [[0, last]] }, last);
      this.#prompts = [];
    }
    this.#out.compaction(origin, 0, this.#contextTokens);
  }

  /** The newest prompts are taken back, with all that followed them. */
  #rewind(origin: RecordOrigin, turns: number): void {
    if (turns < 1) return;
    const { messageCount } = this.#out;
    const [from = messageCount] = this.#prompts.splice(-turns);
    this.#out.remove(origin, { cause: "rewind", messages: [[from, messageCount]] });
  }

  /** Totals up to now, with what the last call used: they count for the call that has no usage yet, else for the next one. */
  #count(origin: RecordOrigin, { total, last }: PartOf<"usage">): void {
    // If each answer is counted, totals repeat the same usage.
    if (totalTokens(total) === 0 || this.#responses.size > 0) return;
    // Before the first call, the totals of a continued conversation are those from elsewhere.
    if (this.#isContinued && !this.#usage.isBegun)
      this.#usage.goOnFrom(this.#call === undefined ? total : difference(total, last));
    const used = this.#usage.since(total);
    if (used !== undefined) this.#report(origin, used);
  }

  /** Counts the usage of one answer: it is written once, or again if a thread continues. */
  #countCall(origin: RecordOrigin, responseId: string, usage: TokenUsage): void {
    if (this.#responses.has(responseId)) return;
    this.#responses.add(responseId);
    this.#report(origin, usage);
  }

  #report(origin: RecordOrigin, used: TokenUsage): void {
    if (this.#call === undefined || this.#isCounted) {
      this.#nameCall(origin);
      this.#recordCall(origin);
      this.#out.markCallEnd(origin);
    }
    this.#out.reportUsage(this.#call!, used);
    this.#isCounted = true;
  }
}
