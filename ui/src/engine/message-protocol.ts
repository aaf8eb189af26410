import type { ContextChange } from "../../../src/domain/conversation/compare-contexts.js";
import type { ContextSizes } from "../../../src/domain/conversation/context-messages.js";
import type { MessageOrigin } from "../../../src/domain/conversation/conversation.js";
import type { ContextRemoval } from "../../../src/domain/conversation/conversation-outline.js";
import type { Provenance, Repetition, ToolUse } from "../../../src/domain/conversation/provenance.js";
import type { ContentKind } from "../../../src/domain/search/search-query.js";
import type { SpanState } from "../../../src/domain/spans/span.js";
import type { Cost } from "../../../src/domain/usage/money.js";
import type { ApiProblem } from "../api/api-problem.js";
import type { CalledAgain } from "../model/dropped-messages.js";
import type { LineCount } from "./line-counts.js";

/** A text that may have been cut to what fits a screen or two. */
export interface ShortenedText {
  readonly text: string;
  /** Length of the full text. */
  readonly length: number;
}

/** An entry of a conversation, as its message says it. */
export interface RecordedEntry {
  readonly key: string;
  readonly messageIndex: number;
  readonly origin: MessageOrigin;
  readonly role: string;
  readonly opensSpeaker: boolean;
  /** It is the first entry of an answer of the model. */
  readonly opensAnswer: boolean;
  readonly type: "text" | "thinking" | "call" | "result" | "image" | "other";
  readonly text: ShortenedText;
  /** Of a call. */
  readonly name: string;
  readonly preview: string;
  readonly callId: string;
  readonly result:
    | { readonly text: ShortenedText; readonly isError: boolean; readonly images: number }
    | undefined;
  /** Cause that removed the message from later model calls, if somebody went back; or that removed its result, if it was cleared. */
  readonly removal: Pick<ContextRemoval, "cause" | "timestamp"> | undefined;
  /** Number of images in it, or in its result. */
  readonly images: number;
}

/** An entry of a conversation, with what the trace knows of it. */
export interface EntryRow extends RecordedEntry {
  /** The model call whose answer begins with it. */
  readonly answer: StepFacts | undefined;
  /** The tool call that it is. */
  readonly tool: StepFacts | undefined;
  /** Of an edit: the lines that it added and removed. */
  readonly lines: LineCount | undefined;
}

/** Facts of the trace about a step with a duration. */
export interface StepFacts {
  /** The id of the step in the trace. */
  readonly id: string;
  readonly at: number;
  readonly durationMs: number;
  readonly state: SpanState;
  /** The instant of its start was derived, not recorded. */
  readonly derived: boolean;
  /** Cost of the step with its descendants; `undefined` if they contain no model call, or if the cost is not available yet. */
  readonly cost: Cost | undefined;
}

/** A turn as the outline of a conversation lists it. */
export interface TurnRow {
  /** Its first entry: all up to that of the next turn are its own. */
  readonly entry: number;
  readonly messageIndex: number;
  /** The prompt, on one line; `""` if there was no prompt, or if it is not recorded. */
  readonly prompt: string;
  /** `undefined` where the trace does not have it. */
  readonly step: StepFacts | undefined;
  /** Including the errors of its sub-agents. */
  readonly errors: number;
}

/** An entry of the conversation: of a message, and in it of a kind of content where there is one, or of a tool call. */
export type MessageTarget =
  | { readonly messageIndex: number; readonly kind?: ContentKind | undefined }
  | { readonly callId: string };

export interface MessagesViewModel {
  readonly version: number;
  readonly entries: number;
  readonly messages: number;
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
}

/** A model call as the context view lists it. */
export interface CallRow {
  readonly index: number;
  readonly messages: number;
  /** Tokens of its messages, by origin: estimated, and scaled to what the vendor counted. */
  readonly sizes: ContextSizes;
  /** Of the system prompt and the tools, and what neither they nor the messages explain. All three add up to `countedTokens`. */
  readonly prompt: number;
  readonly unaccounted: number;
  /** As the vendor counted it, where the trace knows the call. */
  readonly countedTokens: number | undefined;
  readonly spanId: string | undefined;
  readonly at: number | undefined;
  readonly compacted: boolean;
  /** True if the call's context is recorded; otherwise it is derived from the conversation. */
  readonly isRecorded: boolean;
  readonly answer: string;
}

export interface ContextCalls {
  readonly calls: readonly CallRow[];
  /** Model calls of the trace whose messages the history no longer holds. */
  readonly unseenCalls: number;
  readonly messages: number;
  /** Maximum number of tokens of the model that received the largest of them; `undefined` if it is not available. */
  readonly window: number | undefined;
}

/** The part of a call's context that precedes the conversation: the system prompt and the tools. */
export interface ContextHead {
  /** Of what is in no message. Estimated, and scaled to what the vendor counted. */
  readonly tokens: number;
  /** `undefined` if it is not recorded. It may be a message, which has its own tokens. */
  readonly system: ShortenedText | undefined;
  /** Their definitions, as JSON; `undefined` where they are not recorded. */
  readonly tools: ShortenedText | undefined;
  readonly toolNames: readonly string[];
}

/** Parts of an earlier call's context that a later call no longer had, the largest first. Tokens are estimated. */
export interface DroppedList {
  readonly messages: number;
  readonly tokens: number;
  /** The later calls of tools that gave some of it again. */
  readonly again: { readonly calls: number; readonly tokens: number };
  /** The largest of them. */
  readonly lines: readonly DroppedLine[];
}

export interface DroppedLine {
  readonly message: ContextMessage;
  /** Of what went. */
  readonly tokens: number;
  /** True if the message is still in the context, without the tool's result. */
  readonly isCleared: boolean;
  /** The tool calls whose results it holds. */
  readonly uses: readonly ToolUse[];
  readonly again:
    | (Traced<Pick<CalledAgain, keyof ToolUse | "same">> & {
        readonly tokens: number;
        /** First call whose context had the repeated content; `undefined` if it is not available. */
        readonly call: number | undefined;
      })
    | undefined;
}

export interface ContextMessage {
  /** Of the message in the history; below 0 for one that is recorded on the call alone. */
  readonly index: number;
  readonly origin: MessageOrigin;
  readonly role: string;
  readonly preview: string;
  /** Estimated. */
  readonly tokens: number;
}

/** Context of a model call, according to its own events. */
export interface GivenMessages {
  /** The newest, with the places that they have among all. */
  readonly messages: readonly (ContextMessage & { readonly text: ShortenedText })[];
  /** Number of earlier messages. */
  readonly earlier: number;
}

/** A tool call, and its step in the trace, where that has it. */
type Traced<T> = T & { readonly stepId: string | undefined };

/** Origin of a message and its later fate. */
export interface EntryProvenance extends Omit<Provenance, "repetitions"> {
  /** The tool calls whose results it holds. */
  readonly uses: readonly Traced<ToolUse>[];
  readonly repetitions: readonly Traced<Repetition>[];
}

export type ContextLine =
  | {
      readonly change: ContextChange;
      readonly before: ContextMessage | undefined;
      readonly after: ContextMessage | undefined;
    }
  | {
      readonly change: "run";
      readonly of: "kept" | "dropped";
      readonly count: number;
      readonly tokens: number;
      readonly from: number;
      readonly to: number;
    };

export interface ContextComparison {
  readonly base: number;
  readonly call: number;
  readonly lines: readonly ContextLine[];
  readonly counts: {
    readonly [change in ContextChange]: { readonly messages: number; readonly tokens: number };
  };
}
