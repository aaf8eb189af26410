import { tieredModel } from "../../../domain/usage/service-tiers.js";
import { NO_USAGE, subtractUsage, type TokenUsage, totalTokens } from "../../../domain/usage/token-usage.js";
import { FIRST, followPart } from "../../transcripts/recorder/follow-part.js";
import type { Follower } from "../../transcripts/recorder/follower.js";
import type { RecordParts } from "../../transcripts/recorder/parts.js";
import type { PartLocation, RecordOrigin } from "../../transcripts/recorder/record-origin.js";
import type { TraceRecorder } from "../../transcripts/recorder/trace-recorder.js";
import type { LineLocation } from "../../transcripts/recorder/trace-rows.js";
import type { CodexPart } from "./part-kinds.js";
import { RecentTexts } from "./recent-texts.js";
import { CumulativeUsage } from "./usage.js";

type PartOf<Is extends CodexPart["is"]> = Extract<CodexPart, { readonly is: Is }>;

/**
 * Derives calls and turns from the order of records. A call continues until the model receives new input; a turn lasts as long as its
 * task, otherwise until the next prompt. Usage and texts may be reported by a second record.
 */
export class CodexFollower implements Follower<RecordParts<CodexPart>> {
  readonly #out: TraceRecorder;
  readonly #usage = new CumulativeUsage();
  readonly #recent = new RecentTexts();
  readonly #named = new Set<string>();
  #model: string | undefined;
  #tier: unknown;
  #contextTokens = 0;
  /** The conversation began elsewhere, with totals that are not available here. */
  #isContinued: boolean;
  #isFork = false;
  #call: string | undefined;
  #isCounted = false;
  readonly #responses = new Set<string>();
  /** The next totals contain only usage that other records report. */
  #isReported = false;
  /** The model received input, so its next record begins a call. */
  #isPrompt = true;
  #isPending = false;
  #isTask = false;
  #hasWorked = false;
  /** Calls that an event ended before the item with their output. */
  readonly #ended = new Set<string>();
  #prompts: number[] = [];
  /** Line of the newest item with a prompt. */
  #promptLine = Number.NaN;
  #untold = 0;

  constructor(out: TraceRecorder) {
    this.#out = out;
    this.#isContinued = out.options.isContinued;
  }

  passCopy({ parts: [part] }: RecordParts<CodexPart>): void {
    if (part?.is === "settings") this.#set(part);
    else if (part?.is === "usage" && part.isReported) this.#usage.goOnFrom(part.total);
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

  #note(origin: RecordOrigin, part: CodexPart): void {
    switch (part.is) {
      case "session":
        this.#isContinued ||= part.isContinued;
        this.#isFork ||= part.isFork;
        return this.#out.start(origin);
      case "settings":
        return this.#set(part);
      case "task":
        this.#isPending = true;
        this.#isTask = true;
        this.#isPrompt = true;
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

  #set({ model, tier }: PartOf<"settings">): void {
    this.#model = model ?? this.#model;
    this.#tier = tier ?? this.#tier;
  }

  #ask(origin: RecordOrigin): void {
    this.#isPrompt = true;
    this.#out.answerTo(origin);
  }

  #prompt(origin: RecordOrigin, part: PartOf<"prompt">): void {
    const { line } = origin.place;
    if (part.by === "item") this.#prompts.push(this.#out.messageCount - 1);
    // An event announces the item before it, whatever happened to either text since.
    const isAnnounced = part.by === "event" && line === this.#promptLine + 1;
    if (this.#isRepeated(part) || isAnnounced) return this.#out.repeat(origin);
    if (part.by === "item") this.#promptLine = line;
    if (!this.#isPending && this.#isTask && origin.conversation.isTurnOpen)
      this.#out.block(origin, { isMain: true, part: 1 });
    else this.#beginTurn(origin, part);
    this.#ask(origin);
    if (part.by !== "event" || !part.isMessage) return;
    this.#prompts.push(this.#out.messageCount);
    this.#out.noteMessage(origin.place);
  }

  #isRepeated({ by, text, itemId }: Pick<PartOf<"text">, "by" | "text" | "itemId">): boolean {
    if (by === undefined || text === undefined) return false;
    const isReported = this.#recent.isRepeated(by, text);
    if (itemId === undefined) return isReported;
    // An event may omit a part of its item: a plan.
    if (by === "event") this.#named.add(itemId);
    return isReported || (by === "item" && this.#named.delete(itemId));
  }

  #beginTurn(origin: RecordOrigin, part: PartOf<"prompt"> | undefined): void {
    this.#isTask = this.#isPending;
    this.#isPending = false;
    this.#hasWorked = false;
    this.#out.beginTurn(origin, part, part !== undefined);
  }

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
    this.#isPrompt = true;
  }

  #work(origin: RecordOrigin): void {
    this.#beginPending(origin);
    this.#hasWorked = true;
    if (this.#isPrompt) this.#nameCall(origin);
    this.#recordCall(origin);
    this.#out.goOn(origin);
  }

  #nameCall({ place }: RecordOrigin): void {
    this.#call = `${this.#out.options.agentId}#${place.line}`;
    this.#isCounted = false;
    this.#isPrompt = false;
  }

  #recordCall(origin: RecordOrigin): void {
    const model = tieredModel(this.#model, this.#tier);
    this.#out.modelCall(origin, {
      messageId: this.#call,
      recordId: "",
      usage: NO_USAGE,
      model,
      retainsModel: true,
    });
  }

  #say(origin: RecordOrigin, part: PartOf<"text">): void {
    this.#work(origin);
    if (this.#isRepeated(part)) this.#out.repeat(origin);
    else this.#out.block(origin, FIRST);
    this.#out.markCallEnd(origin);
    this.#out.say(origin);
    if (!this.#isTask) this.#out.finish(origin);
  }

  #think(origin: RecordOrigin, thoughts: readonly PartOf<"thinking">[]): void {
    this.#work(origin);
    const untold = thoughts.flatMap((thought, part) => (this.#isRepeated(thought) ? [] : [part]));
    if (untold.length === 0) this.#out.repeat(origin);
    for (const [i, part] of untold.entries()) this.#out.block(origin, { isMain: i === 0, part });
    this.#out.markCallEnd(origin);
  }

  /** An item, an event, or both report the end: the second repeats the first. An event may refer to no call. */
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
      const last = this.#out.messageCount - 1;
      this.#out.remove(origin, { cause: "compaction", messages: [[0, last]] }, last);
      this.#prompts = [];
    }
    this.#out.compaction(origin, 0, this.#contextTokens);
  }

  #rewind(origin: RecordOrigin, turns: number): void {
    if (turns < 1) return;
    const { messageCount } = this.#out;
    const [from = messageCount] = this.#prompts.splice(-turns);
    this.#out.remove(origin, { cause: "rewind", messages: [[from, messageCount]] });
  }

  /** The last usage counts for the call without usage, else for the next one. */
  #count(origin: RecordOrigin, { total, last }: PartOf<"usage">): void {
    if (totalTokens(total) === 0) return;
    if (!this.#usage.isBegun) this.#inherit(total, last);
    const used = this.#usage.since(total, last);
    // Some versions report the usage of each call before the totals.
    if (used !== undefined && !this.#isReported) this.#report(origin, used);
    this.#isReported = false;
  }

  /** The first totals may contain usage of another file; the last call alone does not. */
  #inherit(total: TokenUsage, last: TokenUsage | undefined): void {
    if (last !== undefined && totalTokens(last) === 0) this.#usage.goOnFrom(total);
    else if (this.#isContinued)
      this.#usage.goOnFrom(this.#call === undefined ? total : subtractUsage(total, last ?? NO_USAGE));
    else if (this.#isFork && last !== undefined) this.#usage.goOnFrom(subtractUsage(total, last));
  }

  #countCall(origin: RecordOrigin, responseId: string, usage: TokenUsage): void {
    if (this.#responses.has(responseId)) return;
    this.#responses.add(responseId);
    this.#isReported = true;
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
