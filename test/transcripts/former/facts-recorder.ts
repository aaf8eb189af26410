import { filesOfCall } from "../../../src/adapters/transcripts/recorder/files-of-call.js";
import type { CallPart, ResultPart, ToolOutcome } from "../../../src/adapters/transcripts/recorder/parts.js";
import type { RecordOrigin } from "../../../src/adapters/transcripts/recorder/record-origin.js";
import { storedText } from "../../../src/adapters/transcripts/recorder/stored-text.js";
import { type FileUse, fileUseOf } from "../../../src/domain/dialects/file-tools.js";
import { causeOf } from "../../../src/domain/facts/cause-of.js";
import { Names } from "../../../src/domain/facts/facts-columns.js";
import { durationClass, MOST_FILES, QUARTER_MS } from "../../../src/domain/facts/session-facts.js";
import type { JsonObject } from "../../../src/domain/json/json.js";
import { errorText } from "../../../src/domain/spans/event-facts.js";
import { estimateTokens } from "../../../src/domain/usage/token-counts.js";
import { ConversationFacts } from "./conversation-facts.js";

const MOST_OF_ERROR = 1_000;

const MOST_OF_PATH = 1_000;

const MINUTE_MS = 60_000;
const MINUTES_PER_QUARTER = QUARTER_MS / MINUTE_MS;

interface OpenTool {
  readonly tool: number;
  readonly at: number;
  readonly edits: readonly string[];
  readonly reads: readonly string[];
}

/**
 * Activity in a summarised file by quarter hour: tool calls, failures, context sizes, minutes. It excludes model calls, because other
 * files may report the same.
 */
export class FactsRecorder {
  readonly #conversations = new Map<number, ConversationFacts>();
  readonly #tools = new Names<string>((name) => name, "");
  readonly #fileUses: (FileUse | undefined)[] = [];
  readonly #causes = new Names<string>((name) => name, "");
  readonly #models = new Names<string>((name) => name, "");
  readonly #open = new Map<string, OpenTool>();
  readonly #edited = new Set<string>();
  readonly #read = new Set<string>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes + this.#open.size * 200;
  }

  get tools(): readonly string[] {
    return this.#tools.list;
  }

  get causes(): readonly string[] {
    return this.#causes.list;
  }

  get models(): readonly string[] {
    return this.#models.list;
  }

  get edited(): ReadonlySet<string> {
    return this.#edited;
  }

  get read(): ReadonlySet<string> {
    return this.#read;
  }

  of(ordinal: number): ConversationFacts | undefined {
    return this.#conversations.get(ordinal);
  }

  happen({ conversation: { ordinal }, instant }: Pick<RecordOrigin, "conversation" | "instant">): void {
    const minute = Math.floor(instant / MINUTE_MS);
    const facts = this.#of(ordinal);
    if (minute === facts.lastMinute || Number.isNaN(minute)) return;
    facts.lastMinute = minute;
    const quarter = Math.floor(minute / MINUTES_PER_QUARTER);
    this.#bytes += facts.addMinute(quarter, minute - quarter * MINUTES_PER_QUARTER);
  }

  callModel({ conversation: { ordinal, model = "" }, instant }: RecordOrigin): void {
    this.#bytes += this.#of(ordinal).readContext(quarterAt(instant), this.#models.placeOf(model));
  }

  beginTool(origin: RecordOrigin, part: CallPart, input: unknown): void {
    this.#open.set(part.toolCallId, this.#begin(origin, part.toolName, input));
  }

  #begin({ conversation: { ordinal }, instant }: RecordOrigin, toolName: string, input: unknown): OpenTool {
    const tool = this.#tools.placeOf(toolName);
    if (tool === this.#fileUses.length) this.#fileUses.push(fileUseOf(toolName));
    const { edited: edits, read: reads } = filesOfCall(this.#fileUses[tool], input);
    this.#bytes += this.#of(ordinal).addTool(quarterAt(instant), tool);
    return { tool, at: instant, edits, reads };
  }

  /** An end without a beginning is a call of the trace, too. */
  endTool(origin: RecordOrigin, part: ResultPart, outcome: ToolOutcome): void {
    const { ordinal } = origin.conversation;
    const { instant } = origin;
    const begun = this.#open.get(part.toolCallId);
    const open = begun ?? this.#begin(origin, nameIn(part), undefined);
    this.#open.delete(part.toolCallId);
    const { tool, at } = open;
    const facts = this.#of(ordinal);
    const { text } = part.result();
    const tokens = estimateTokens(text.length);
    facts.endTool(quarterAt(at), tool, outcome, tokens);
    if (begun !== undefined && instant >= at)
      this.#bytes += facts.addDuration(quarterAt(at), tool, durationClass(instant - at));
    if (outcome === "completed") this.#takeFiles(open);
    else if (outcome === "failed") this.#addFailure(facts, Number.isNaN(at) ? instant : at, text, tool);
  }

  /**
   * For failures other than tool calls.
   * @param event the displayed event; `undefined` if it states no reason
   */
  fail(
    { conversation: { ordinal }, instant }: RecordOrigin,
    event: JsonObject | undefined,
    otherwise: string,
  ) {
    const text = event === undefined ? "" : errorText("error", event);
    this.#addFailure(this.#of(ordinal), instant, text || otherwise, undefined);
  }

  compact({ conversation: { ordinal } }: RecordOrigin): void {
    this.#of(ordinal).compact();
  }

  #of(ordinal: number): ConversationFacts {
    const existing = this.#conversations.get(ordinal);
    if (existing !== undefined) return existing;
    const begun = new ConversationFacts();
    this.#conversations.set(ordinal, begun);
    this.#bytes += 1_200;
    return begun;
  }

  #addFailure(facts: ConversationFacts, at: number, text: string, tool: number | undefined): void {
    const cause = this.#causes.placeOf(causeOf(storedText(text.slice(0, MOST_OF_ERROR))));
    this.#bytes += facts.addFailure(quarterAt(at), cause, tool, at);
  }

  #takeFiles({ edits, reads }: OpenTool): void {
    for (const path of edits) this.#takeFile(this.#edited, path);
    for (const path of reads) this.#takeFile(this.#read, path);
  }

  #takeFile(files: Set<string>, path: string): void {
    if (files.has(path) || files.size >= MOST_FILES || path.length > MOST_OF_PATH) return;
    files.add(storedText(path));
    this.#bytes += 100 + path.length;
  }
}

function nameIn(part: ResultPart): string {
  const name = part.event?.().toolName;
  return typeof name === "string" ? name : "";
}

export const UNKNOWN_QUARTER = 1e10;

function quarterAt(instant: number): number {
  return Number.isNaN(instant) ? UNKNOWN_QUARTER : Math.floor(instant / QUARTER_MS);
}
