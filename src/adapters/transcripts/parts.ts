import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { instantOf, isOddInstant } from "../../domain/trace/instant.js";
import type { TurnOutcome } from "./trace-rows.js";

/**
 * One thing that a record says: a prompt, a text, a call, the usage so far. What it is, what follows from it and how it is shown are
 * said here and nowhere else. A row of the trace keeps its number among the parts of its record, counted from 0.
 *
 * @example a line of an answer: `[{ is: "thinking", … }, { is: "text", block: 1, … }, { is: "call", block: 2, … }]`
 */
export interface Part {
  /** What it is. `prompt` and `title` are texts of which the list of sessions shows something; the others only tell parts apart. */
  readonly is: string;
  /** Its place among the blocks of its sort, counted from 0: ids of envelopes are made of it. Default is 0. */
  readonly block?: number;
  /**
   * Its canonical event. Members that only the recorder knows (`turnIndex`, `outcome`, `toolName`, `tokensBefore`, `droppedMessages`)
   * are there as `undefined`, where they belong. Only what is shown asks for it. Default is the event of the whole record.
   *
   * @example `{ type: "turn.start", turnIndex: undefined, input: "Count the apples." }`
   */
  event?(): JsonObject;
  /** What the caller is given, where it ends a tool call. */
  result?(): JobResult;
  /** Of an output of which the record holds the beginning alone: the name of the file that holds all of it. Default is that there is none. */
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
 * - `block`: reasoning, or whatever else a message holds beside texts and calls;
 * - `input`: what the model is given that nobody typed; its record passes through, unless a format shows it;
 * - `failure`: bookkeeping of the runtime that tells of one: a hook failed, or the like; its record passes through.
 */
export interface PlainPart extends Part {
  readonly is: "block" | "input" | "failure";
  /** Why something failed. Default is that nothing says it. */
  cause?(): string | undefined;
}

/** What the model says, or what is said to it. */
export interface TextPart extends Part {
  readonly is: "text";
  /** `undefined` where there is none after all. */
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
  /** Whether no further try follows. */
  readonly isLast: boolean;
  /** Whether it is what a model call was answered with. Default is that it is not. */
  readonly endsCall?: boolean;
}

/** The context was summed up. */
export interface CompactionPart extends Part {
  readonly is: "compaction";
  /** How long that took, in milliseconds. Default is 0. */
  readonly durationMs?: number;
}

/** The text of a result, and what else is known of the job that it ends. */
export interface JobResult {
  readonly text: string;
  readonly details?: JsonObject;
}

/** What begins a turn. */
export interface PromptPart extends Part {
  readonly is: "prompt";
  /** Its text; `undefined` where it has none. */
  readonly prompt: string | undefined;
  /** The folder that the agent works in. Default is that the record does not know. */
  readonly directory?: string | undefined;
  /** Whether a person asked it. Default is that one did. */
  readonly isAsked?: boolean;
  /** What the beginning of the prompt asks, as a person would say it. Default is that beginning itself. */
  asked?(beginning: string): string;
}

/** The beginning of a tool call. */
export interface CallPart extends Part {
  readonly is: "call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** What it is called with. Default is the `input` of its event. */
  input?(): unknown;
  /** What a sub-agent is given to do. Default is that there is none. */
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

/** A person is asked something, and no call of a tool asks it: a permission. */
export interface AskPart extends Part {
  readonly is: "ask";
  /** The call that it is about, or an id of its own: what answers it names the same. */
  readonly callId: string;
  /** What is asked, in one line; `undefined` where the record does not say it. */
  question(): string | undefined;
}

/** What was asked is answered; the record passes through. */
export interface AnswerPart extends Part {
  readonly is: "answer";
  readonly callId: string;
}

/** What a sub-agent that works in the background gives back: it may end several times, because it can be given more to do. */
export interface JobEndPart extends Part {
  readonly is: "job end";
  readonly agentId: string | undefined;
  /** The call that gave it something to do. Default is the newest one of the agent. */
  readonly toolCallId: string | undefined;
  readonly outcome: ToolOutcome;
  result(): JobResult;
}

/** How a tool call ended; `refused` where a person did not allow it, which is no error. */
export type ToolOutcome = "completed" | "failed" | "refused";

/** What the end of a tool call says of it. */
export interface ToolEnd {
  readonly outcome: ToolOutcome;
  /** The sub-agent that the result names. */
  readonly agentId?: string | undefined;
  /** The group of sub-agents that the call began, as their files name it. */
  readonly groupId?: string | undefined;
  /** Whether that goes on in the background: then this is not its result. */
  readonly isLaunch: boolean;
}

/** What a record says of titles: of its own session, or of others. */
export interface Titles {
  /** The title that the user gave, and the one that a model did. */
  readonly given?: string | undefined;
  readonly suggested?: string | undefined;
  /** The key by which other files name the session. */
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

/** What one record says. A format adds what its {@link Follower} has to know of the record as a whole. */
export interface RecordParts<P extends Part = Part> {
  /** In the order in which they happened; none where the record only passes through. */
  readonly parts: readonly P[];
  /** Milliseconds since the epoch; `undefined` where the record has none. */
  readonly instant: number | undefined;
  /** Whether it states an instant that counts as not recorded. Default is that it does not. */
  readonly hasOddInstant?: boolean | undefined;
  /** Its id, where records have ids that are unique: a UUID becomes the id of its first envelope. */
  readonly id?: string | undefined;
  /** Whether the model saw it, or said it. */
  readonly isMessage: boolean;
  /** The version of the program that wrote it, where the record states it. Default is that it does not. */
  readonly version?: string | undefined;
  /** The type of a record that the format does not know: it passes through, and is counted by its type. Default is that it is known. */
  readonly unknownType?: string | undefined;
  /** What the record knows of where its session runs, as members of `session.start`. */
  sessionStart(): JsonObject;
  /**
   * What the record says of its model call, as members of `llm.end`. Default is that other records tell of the call.
   *
   * @example `{ model: "opus", stopReason: "end_turn", requestId: "req_1" }`
   */
  callEnd?(): JsonObject;
  /** The event of the record as it stands. `isRepeated` where another record of the file says the same. */
  passed(isRepeated: boolean): JsonObject;
  /** The record without what the events of its parts show. */
  rest(): JsonObject;
  /** The text in it, without reasoning: what the model said, where it did. */
  text(): string;
  /** What a record inside of it says, which it repeats. */
  readonly inner?: RecordParts<P> | undefined;
}

/**
 * When a record happened: the first of its times that is an instant.
 *
 * @param times as the record states them
 */
export function recordedAt(...times: readonly unknown[]): Pick<RecordParts, "instant" | "hasOddInstant"> {
  return {
    instant: times.map(instantOf).find((at) => at !== undefined),
    hasOddInstant: times.some(isOddInstant),
  };
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

/** How a result shows that its call did not succeed. */
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
