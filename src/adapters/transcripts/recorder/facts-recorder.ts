import { fileUseOf } from "../../../domain/dialects/file-tools.js";
import { reasonIn } from "../../../domain/dialects/output-envelopes.js";
import { causeOf } from "../../../domain/facts/cause-of.js";
import { HeldResults } from "../../../domain/facts/context-results.js";
import { FactsBuilder } from "../../../domain/facts/facts-builder.js";
import { durationClass, MOST_FILES } from "../../../domain/facts/session-facts.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { errorText } from "../../../domain/spans/event-facts.js";
import { estimateTokens } from "../../../domain/usage/token-counts.js";
import { filesOfCall } from "./files-of-call.js";
import type { CallPart, ResultPart, ToolOutcome } from "./parts.js";
import type { RecordOrigin } from "./record-origin.js";
import { storedText } from "./stored-text.js";

const MOST_OF_ERROR = 1_000;

const MOST_OF_PATH = 1_000;

const MINUTE_MS = 60_000;

interface OpenTool {
  readonly toolName: string;
  readonly at: number;
  readonly edits: readonly string[];
  readonly reads: readonly string[];
}

interface ConversationFacts {
  readonly facts: FactsBuilder;
  readonly context: HeldResults<string>;
  lastMinute: number;
}

/**
 * Activity in a summarised file by quarter hour: tool calls, failures, context sizes, minutes. It excludes model calls, because other
 * files may report the same.
 */
export class FactsRecorder {
  readonly #conversations = new Map<number, ConversationFacts>();
  readonly #open = new Map<string, OpenTool>();
  readonly #edited = new Set<string>();
  readonly #read = new Set<string>();
  #bytesOfFiles = 0;

  get bytes(): number {
    const conversations = [...this.#conversations.values()];
    return conversations.reduce(
      (sum, { facts }) => sum + facts.bytes,
      this.#bytesOfFiles + this.#open.size * 200,
    );
  }

  get edited(): ReadonlySet<string> {
    return this.#edited;
  }

  get read(): ReadonlySet<string> {
    return this.#read;
  }

  of(ordinal: number): FactsBuilder | undefined {
    return this.#conversations.get(ordinal)?.facts;
  }

  happen({ conversation: { ordinal }, instant }: Pick<RecordOrigin, "conversation" | "instant">): void {
    const minute = Math.floor(instant / MINUTE_MS);
    const own = this.#of(ordinal);
    if (minute === own.lastMinute || Number.isNaN(minute)) return;
    own.lastMinute = minute;
    own.facts.addActivity(instant);
  }

  callModel({ conversation: { ordinal, model }, instant }: RecordOrigin): void {
    const { facts, context } = this.#of(ordinal);
    context.read((toolName, tokens) => facts.addCarried(instant, toolName, { model }, tokens));
  }

  beginTool(origin: RecordOrigin, part: CallPart, input: unknown): void {
    this.#open.set(part.toolCallId, this.#begin(origin, part.toolName, input));
  }

  #begin({ conversation: { ordinal }, instant: at }: RecordOrigin, name: string, input: unknown): OpenTool {
    const toolName = storedText(name);
    const { edited: edits, read: reads } = filesOfCall(fileUseOf(name), input);
    this.#of(ordinal).facts.addTools(at, toolName, { calls: 1, failures: 0, refused: 0, resultTokens: 0 });
    return { toolName, at, edits, reads };
  }

  /**
   * An end without a beginning is a call of the trace, too.
   * @returns text of the result
   */
  endTool(origin: RecordOrigin, part: ResultPart, outcome: ToolOutcome): string {
    const { instant } = origin;
    const begun = this.#open.get(part.toolCallId);
    const open = begun ?? this.#begin(origin, nameIn(part), undefined);
    this.#open.delete(part.toolCallId);
    const { toolName, at } = open;
    const { facts, context } = this.#of(origin.conversation.ordinal);
    const { text } = part.result();
    const resultTokens = estimateTokens(text.length);
    const [failures, refused] = [outcome === "failed" ? 1 : 0, outcome === "refused" ? 1 : 0];
    facts.addTools(at, toolName, { calls: 0, failures, refused, resultTokens });
    context.add(toolName, resultTokens);
    if (begun !== undefined && instant >= at)
      facts.addDurations(at, toolName, durationClass(instant - at), 1);
    if (outcome === "completed") this.#takeFiles(open);
    else if (outcome === "failed")
      facts.addFailure(Number.isNaN(at) ? instant : at, storedCause(text), toolName);
    return text;
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
    this.#of(ordinal).facts.addFailure(instant, storedCause(text || otherwise), undefined);
  }

  compact({ conversation: { ordinal } }: RecordOrigin): void {
    const { facts, context } = this.#of(ordinal);
    facts.addCompactions(1);
    context.compact();
  }

  #of(ordinal: number): ConversationFacts {
    const existing = this.#conversations.get(ordinal);
    if (existing !== undefined) return existing;
    const begun = { facts: new FactsBuilder(), context: new HeldResults<string>(), lastMinute: Number.NaN };
    this.#conversations.set(ordinal, begun);
    return begun;
  }

  #takeFiles({ edits, reads }: OpenTool): void {
    for (const path of edits) this.#takeFile(this.#edited, path);
    for (const path of reads) this.#takeFile(this.#read, path);
  }

  #takeFile(files: Set<string>, path: string): void {
    if (files.has(path) || files.size >= MOST_FILES || path.length > MOST_OF_PATH) return;
    files.add(storedText(path));
    this.#bytesOfFiles += 100 + path.length;
  }
}

function storedCause(text: string): string {
  return causeOf(storedText(reasonIn(text).slice(0, MOST_OF_ERROR)));
}

function nameIn(part: ResultPart): string {
  const name = part.event?.().toolName;
  return typeof name === "string" ? name : "";
}
