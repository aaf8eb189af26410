import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { instantOf, isOddInstant } from "../../../domain/trace/instant.js";
import type { TurnOutcome } from "./trace-rows.js";

/**
 * One element of a record: a prompt, a text, a call, the usage so far. Only here its kind, its effect and its display are defined. A row
 * of the trace stores its index among the parts of its record.
 * @example a line of an answer: `[{ is: "thinking", … }, { is: "text", block: 1, … }, { is: "call", block: 2, … }]`
 */
export interface Part {
  readonly is: string;
  /** Index among the blocks of its sort, for the ids of envelopes. Default is 0. */
  readonly block?: number;
  /**
   * Canonical event of a displayed part. Members for the recorder are `undefined`, in position: `turnIndex`, `outcome`, `toolName`,
   * `tokensBefore`, `droppedMessages`. Default is the event of the complete record.
   * @example `{ type: "turn.start", turnIndex: undefined, input: "Count the apples." }`
   */
  event?(): JsonObject;
  result?(): JobResult;
  /** Name of the file with the complete output, if the record is truncated. Default is no such file. */
  persistedAs?(): string | undefined;
}

export type CommonPart =
  | PromptPart
  | TextPart
  | PlainPart
  | CallPart
  | ResultPart
  | AskPart
  | AnswerPart
  | JobEndPart
  | TurnEndPart
  | ErrorPart
  | CompactionPart
  | TitlePart;

/**
 * - `block`: reasoning or other content besides texts and calls;
 * - `input`: model input that nobody typed; its record passes through, unless a format displays it;
 * - `failure`: a failure in the runtime's bookkeeping, such as a hook; its record passes through.
 */
export interface PlainPart extends Part {
  readonly is: "block" | "input" | "failure";
  cause?(): string | undefined;
}

export interface TextPart extends Part {
  readonly is: "text";
  readonly text: string | undefined;
}

export interface TurnEndPart extends Part {
  readonly is: "turn end";
  /** `undefined` if unstated: the turn has failed if the answer before it did. */
  readonly outcome: TurnOutcome | undefined;
}

export interface ErrorPart extends Part {
  readonly is: "error";
  readonly isLast: boolean;
  /** True for the response to a model call. Default is false. */
  readonly endsCall?: boolean;
}

export interface CompactionPart extends Part {
  readonly is: "compaction";
  readonly durationMs?: number;
}

interface JobResult {
  readonly text: string;
  readonly details?: JsonObject;
}

export interface PromptPart extends Part {
  readonly is: "prompt";
  readonly prompt: string | undefined;
  readonly directory?: string | undefined;
  /** False without a person's prompt. Default is true. */
  readonly isPrompt?: boolean;
  promptOf?(beginning: string): string;
}

export interface CallPart extends Part {
  readonly is: "call";
  readonly toolCallId: string;
  readonly toolName: string;
  input?(): unknown;
  spawn?(): SpawnNote | undefined;
}

export interface SpawnNote {
  readonly role: string | undefined;
  readonly description: string | undefined;
  readonly prompt: string | undefined;
}

export interface ResultPart extends Part {
  readonly is: "result";
  readonly toolCallId: string;
  end(): ToolEnd;
  result(): JobResult;
}

export interface AskPart extends Part {
  readonly is: "ask";
  /** The related call, or a separate id; the answer has the same. */
  readonly callId: string;
  question(): string | undefined;
}

interface AnswerPart extends Part {
  readonly is: "answer";
  readonly callId: string;
}

/** Result of a background sub-agent, which may end several times, because it can receive further tasks. */
export interface JobEndPart extends Part {
  readonly is: "job end";
  readonly agentId: string | undefined;
  /** The call with the task. Default is the agent's newest one. */
  readonly toolCallId: string | undefined;
  readonly outcome: ToolOutcome;
  result(): JobResult;
}

/** `refused`: a person did not allow the call, which is not an error. */
export type ToolOutcome = "completed" | "failed" | "refused";

export interface ToolEnd {
  readonly outcome: ToolOutcome;
  readonly agentId?: string | undefined;
  readonly groupId?: string | undefined;
  /** True if the sub-agent continues in the background: the result follows. */
  readonly isLaunch: boolean;
}

export interface Titles {
  /** From the user; `suggested` is from a model. */
  readonly chosen?: string | undefined;
  readonly suggested?: string | undefined;
  readonly key?: string | undefined;
  readonly claim?: TitleClaim | undefined;
}

export interface TitleClaim {
  readonly key: string;
  readonly title: string;
}

export interface TitlePart extends Part {
  readonly is: "title";
  readonly titles: Titles;
}

export interface RecordParts<P extends Part = Part> {
  /** In order; empty if the record only passes through. */
  readonly parts: readonly P[];
  /** In milliseconds since the epoch; `undefined` if unstated. */
  readonly instant: number | undefined;
  /** True if the stated instant is invalid. Default is false. */
  readonly hasOddInstant?: boolean | undefined;
  /** Unique ID, if records have one; a UUID becomes the ID of the first envelope. */
  readonly id?: string | undefined;
  readonly isMessage: boolean;
  readonly version?: string | undefined;
  /** Type of an unrecognised record, which passes through and is counted. Default is a recognised type. */
  readonly unknownType?: string | undefined;
  /** Environment of the session, as members of `session.start`. */
  sessionStart(): JsonObject;
  /**
   * Facts of the record's model call, as members of `llm.end`. Default is that other records report the call.
   * @example `{ model: "opus", stopReason: "end_turn", requestId: "req_1" }`
   */
  callEnd?(): JsonObject;
  /** @param isRepeated true if another record of the file has the same content */
  passed(isRepeated: boolean): JsonObject;
  /** The record without content that its parts' events display. */
  rest(): JsonObject;
  text(): string;
  readonly inner?: RecordParts<P> | undefined;
}

/** The first valid time. Each is parsed once, because every record passes here. */
export function recordedAt(...times: readonly unknown[]): Pick<RecordParts, "instant" | "hasOddInstant"> {
  let instant: number | undefined;
  let hasOddInstant = false;
  for (const time of times) {
    const own = instantOf(time);
    instant ??= own;
    hasOddInstant ||= own === undefined && isOddInstant(time);
  }
  return { instant, hasOddInstant };
}

export function promptPart(prompt: string | undefined, input: () => unknown): PromptPart {
  return {
    is: "prompt",
    prompt,
    event: () => ({ type: "turn.start", turnIndex: undefined, input: input() }),
  };
}

export function turnEndPart(outcome: TurnOutcome | undefined, stated: JsonObject): TurnEndPart {
  const event = () => ({ type: "turn.end", turnIndex: undefined, outcome: undefined, ...stated });
  return { is: "turn end", outcome, event };
}

export function failureOf(outcome: ToolOutcome): JsonObject {
  return { isError: outcome !== "completed", refused: outcome === "refused" ? true : undefined };
}

export function textsIn(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isJsonObject(part) && typeof part.text === "string" ? [part.text] : []));
}

export function textIn(content: unknown): string {
  return textsIn(content).join("\n");
}
