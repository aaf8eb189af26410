import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { instantOf, isOddInstant } from "../../domain/trace/instant.js";
import type { TurnOutcome } from "./trace-rows.js";

/**
 * One element of a record: a prompt, a text, a call, the usage so far. Its kind, its consequences and its display are defined here and
 * nowhere else. A row of the trace stores its index among the parts of its record, counted from 0.
 *
 * @example a line of an answer: `[{ is: "thinking", … }, { is: "text", block: 1, … }, { is: "call", block: 2, … }]`
 */
export interface Part {
  /** Kind of the part. The session list displays text of `prompt` and `title`; the others only distinguish parts. */
  readonly is: string;
  /** Its place among the blocks of its sort, counted from 0: ids of envelopes are made of it. Default is 0. */
  readonly block?: number;
  /**
   * Returns its canonical event. Members that only the recorder can fill in are present as `undefined`, in their positions: `turnIndex`,
   * `outcome`, `toolName`, `tokensBefore`, `droppedMessages`. It is called only for displayed parts. Default is the event of the complete
   * record.
   *
   * @example `{ type: "turn.start", turnIndex: undefined, input: "Count the apples." }`
   */
  event?(): JsonObject;
  /** Returns the result for the caller, if the part ends a tool call. */
  result?(): JobResult;
  /** Returns the name of the file with the complete output, if the record holds only its beginning. Default is no such file. */
  persistedAs?(): string | undefined;
}

/** The parts that every history has. A format adds its own, and the facts that its {@link Follower} needs. */
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
 * - `block`: reasoning, or other content of a message besides texts and calls;
 * - `input`: input of the model that nobody typed; its record passes through, unless a format displays it;
 * - `failure`: bookkeeping of the runtime that reports a failure, such as a failed hook; its record passes through.
 */
export interface PlainPart extends Part {
  readonly is: "block" | "input" | "failure";
  /** Why something failed. Default is that nothing says it. */
  cause?(): string | undefined;
}

/** Text from the model or to the model. */
export interface TextPart extends Part {
  readonly is: "text";
  /** `undefined` if there is no text. */
  readonly text: string | undefined;
}

/** The end of a turn that a record states. */
export interface TurnEndPart extends Part {
  readonly is: "turn end";
  /** `undefined` where the record does not say: the turn has failed if the answer before did. */
  readonly outcome: TurnOutcome | undefined;
}

/** An error of the API, or of the tool itself. */
export interface ErrorPart extends Part {
  readonly is: "error";
  /** True if no further attempt follows. */
  readonly isLast: boolean;
  /** True if it is the response to a model call. Default is false. */
  readonly endsCall?: boolean;
}

/** The context was summed up. */
export interface CompactionPart extends Part {
  readonly is: "compaction";
  /** Duration of that, in milliseconds. Default is 0. */
  readonly durationMs?: number;
}

/** Text of a result, and other facts about the task that it ends. */
interface JobResult {
  readonly text: string;
  readonly details?: JsonObject;
}

/** The beginning of a turn. */
export interface PromptPart extends Part {
  readonly is: "prompt";
  /** Its text; `undefined` where it has none. */
  readonly prompt: string | undefined;
  /** The folder that the agent works in. Default is that the record does not know. */
  readonly directory?: string | undefined;
  /** True if it is a person's prompt. Default is true. */
  readonly isAsked?: boolean;
  /** Returns the beginning of the prompt in a person's words. Default is that beginning itself. */
  asked?(beginning: string): string;
}

/** The beginning of a tool call. */
export interface CallPart extends Part {
  readonly is: "call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** Returns the input of the call. Default is the `input` of its event. */
  input?(): unknown;
  /** Returns the task for a sub-agent. Default is no task. */
  spawn?(): SpawnNote | undefined;
}

/** A tool call that gives a sub-agent something to do. */
export interface SpawnNote {
  readonly role: string | undefined;
  readonly description: string | undefined;
  readonly prompt: string | undefined;
}

/** The end of a tool call. */
export interface ResultPart extends Part {
  readonly is: "result";
  readonly toolCallId: string;
  end(): ToolEnd;
  result(): JobResult;
}

/** A question to a person that is not from a tool call: a permission. */
export interface AskPart extends Part {
  readonly is: "ask";
  /** The call that it is about, or a separate id: the answer names the same id. */
  readonly callId: string;
  /** Returns the question in one line; `undefined` if the record does not contain it. */
  question(): string | undefined;
}

/** The answer to a question; the record passes through. */
interface AnswerPart extends Part {
  readonly is: "answer";
  readonly callId: string;
}

/** Result of a sub-agent that works in the background: it may end several times, because it can receive further tasks. */
export interface JobEndPart extends Part {
  readonly is: "job end";
  readonly agentId: string | undefined;
  /** The call that gave it something to do. Default is the newest one of the agent. */
  readonly toolCallId: string | undefined;
  readonly outcome: ToolOutcome;
  result(): JobResult;
}

/** Outcome of a tool call; `refused` if a person did not allow it, which is not an error. */
export type ToolOutcome = "completed" | "failed" | "refused";

/** Facts about a tool call at its end. */
export interface ToolEnd {
  readonly outcome: ToolOutcome;
  /** The sub-agent that the result names. */
  readonly agentId?: string | undefined;
  /** The group of sub-agents that the call began, as their files name it. */
  readonly groupId?: string | undefined;
  /** True if the sub-agent continues in the background: then this is not its result. */
  readonly isLaunch: boolean;
}

/** Titles in a record: of the record's session, or of others. */
export interface Titles {
  /** Title from the user, and title from a model. */
  readonly given?: string | undefined;
  readonly suggested?: string | undefined;
  /** The key by which other files refer to the session. */
  readonly key?: string | undefined;
  /** A title for the session that has a key. */
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

/** Content of one record. A format adds the facts about the complete record that its {@link Follower} needs. */
export interface RecordParts<P extends Part = Part> {
  /** In the order of occurrence; empty if the record only passes through. */
  readonly parts: readonly P[];
  /** Milliseconds since the epoch; `undefined` where the record has none. */
  readonly instant: number | undefined;
  /** True if it states an instant that counts as not recorded. Default is false. */
  readonly hasOddInstant?: boolean | undefined;
  /** Its id, where records have ids that are unique: a UUID becomes the id of its first envelope. */
  readonly id?: string | undefined;
  /** True if the record was in the model's context, or is the model's output. */
  readonly isMessage: boolean;
  /** The version of the program that wrote it, where the record states it. Default is that it does not. */
  readonly version?: string | undefined;
  /**
   * The type of a record that the format does not recognise: it passes through, and is counted by its type. Default is a recognised type.
   */
  readonly unknownType?: string | undefined;
  /** Returns facts about the session's environment, as members of `session.start`. */
  sessionStart(): JsonObject;
  /**
   * Returns facts about the record's model call, as members of `llm.end`. Default is that other records report the call.
   *
   * @example `{ model: "opus", stopReason: "end_turn", requestId: "req_1" }`
   */
  callEnd?(): JsonObject;
  /** The event of the record as it stands. `isRepeated` where another record of the file says the same. */
  passed(isRepeated: boolean): JsonObject;
  /** The record without what the events of its parts show. */
  rest(): JsonObject;
  /** Returns its text without reasoning: the model's text, if the model wrote it. */
  text(): string;
  /** Content of a record within it, which it repeats. */
  readonly inner?: RecordParts<P> | undefined;
}

/**
 * Returns the instant of a record: the first of its times that is an instant. It reads each time once, because every record passes here.
 *
 * @param times as the record states them
 */
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

/** The beginning of a turn. The recorder knows which one. */
export function promptPart(prompt: string | undefined, input: () => unknown): PromptPart {
  return {
    is: "prompt",
    prompt,
    event: () => ({ type: "turn.start", turnIndex: undefined, input: input() }),
  };
}

/** The end of a turn, and what is stated of it. The recorder knows which one, and how it ended. */
export function turnEndPart(outcome: TurnOutcome | undefined, stated: JsonObject): TurnEndPart {
  const event = () => ({ type: "turn.end", turnIndex: undefined, outcome: undefined, ...stated });
  return { is: "turn end", outcome, event };
}

/** Returns the members of a result that mark its call as unsuccessful. */
export function failureOf(outcome: ToolOutcome): JsonObject {
  return { isError: outcome !== "completed", refused: outcome === "refused" ? true : undefined };
}

/** The texts in a content, which may be one text, or parts that have texts. */
export function textsIn(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isJsonObject(part) && typeof part.text === "string" ? [part.text] : []));
}

export function textIn(content: unknown): string {
  return textsIn(content).join("\n");
}
