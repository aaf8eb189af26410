import type { ContextChange } from "../../../../src/domain/conversation/compare-contexts.js";
import type { ContextSizes } from "../../../../src/domain/conversation/context-messages.js";
import type { MessageOrigin } from "../../../../src/domain/conversation/conversation.js";
import type { ContextRemoval } from "../../../../src/domain/conversation/conversation-outline.js";
import type { Provenance, Repetition, ToolUse } from "../../../../src/domain/conversation/provenance.js";
import type { ContentKind } from "../../../../src/domain/search/search-query.js";
import type { SpanState } from "../../../../src/domain/spans/span.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import type { ApiProblem } from "../../api/api-problem.js";
import type { CalledAgain } from "../../model/context/dropped-messages.js";
import type { LineCount } from "./line-counts.js";

export interface ShortenedText {
  readonly text: string;
  readonly length: number;
}

export interface RecordedEntry {
  readonly key: string;
  readonly messageIndex: number;
  readonly origin: MessageOrigin;
  readonly role: string;
  readonly opensSpeaker: boolean;
  readonly opensAnswer: boolean;
  readonly type: "text" | "thinking" | "call" | "result" | "image" | "other";
  readonly text: ShortenedText;
  readonly name: string;
  readonly preview: string;
  readonly callId: string;
  readonly result:
    | { readonly text: ShortenedText; readonly isError: boolean; readonly images: number }
    | undefined;
  /** Removed the message from later model calls, or its result if that was cleared. */
  readonly removal: Pick<ContextRemoval, "cause" | "timestamp"> | undefined;
  readonly images: number;
}

export interface EntryRow extends RecordedEntry {
  readonly answer: StepFacts | undefined;
  readonly tool: StepFacts | undefined;
  readonly lines: LineCount | undefined;
}

export interface StepFacts {
  readonly id: string;
  readonly at: number;
  readonly durationMs: number;
  readonly state: SpanState;
  /** Its start was derived, not recorded. */
  readonly derived: boolean;
  /** Includes descendants; `undefined` without a model call, or until the cost is available. */
  readonly cost: Cost | undefined;
}

export interface TurnRow {
  readonly entry: number;
  readonly messageIndex: number;
  /** On one line; `""` if none is recorded. */
  readonly prompt: string;
  /** `undefined` if the trace lacks it. */
  readonly step: StepFacts | undefined;
  readonly errors: number;
}

/** A message, optionally a kind of its content, or a tool call. */
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

export interface CallRow {
  readonly index: number;
  readonly messages: number;
  /** Estimated tokens by origin, scaled to the vendor's count. */
  readonly sizes: ContextSizes;
  /** Tokens of the system prompt and tools, and tokens without explanation. With `sizes` they add up to `countedTokens`. */
  readonly prompt: number;
  readonly unaccounted: number;
  /** The vendor's count, if the trace has the call. */
  readonly countedTokens: number | undefined;
  readonly spanId: string | undefined;
  readonly at: number | undefined;
  readonly compacted: boolean;
  /** Otherwise the context is derived from the conversation. */
  readonly isRecorded: boolean;
  readonly answer: string;
}

export interface ContextCalls {
  readonly calls: readonly CallRow[];
  /** Their messages are not in the history any more. */
  readonly unseenCalls: number;
  readonly messages: number;
  /** Maximum tokens of the model with the largest context; `undefined` if unavailable. */
  readonly window: number | undefined;
}

export interface ContextHead {
  /** Without messages. Estimated, and scaled to the vendor's count. */
  readonly tokens: number;
  /** `undefined` if not recorded. It may be a message with its own tokens. */
  readonly system: ShortenedText | undefined;
  /** Definitions as JSON; `undefined` if not recorded. */
  readonly tools: ShortenedText | undefined;
  readonly toolNames: readonly string[];
}

/** Content that a later call lacks. Tokens are estimated. */
export interface DroppedList {
  readonly messages: number;
  readonly tokens: number;
  readonly again: { readonly calls: number; readonly tokens: number };
  readonly lines: readonly DroppedLine[];
}

export interface DroppedLine {
  readonly message: ContextMessage;
  readonly tokens: number;
  /** The message remains in the context without the tool's result. */
  readonly isCleared: boolean;
  readonly uses: readonly ToolUse[];
  readonly again:
    | (Traced<Pick<CalledAgain, keyof ToolUse | "same">> & {
        readonly tokens: number;
        /** First call with the repeated content; `undefined` if unavailable. */
        readonly call: number | undefined;
      })
    | undefined;
}

export interface ContextMessage {
  /** Index in the history; below 0 for messages that only the call records. */
  readonly index: number;
  readonly origin: MessageOrigin;
  readonly role: string;
  readonly preview: string;
  readonly tokens: number;
}

export interface InputMessages {
  readonly messages: readonly (ContextMessage & { readonly text: ShortenedText })[];
  readonly earlier: number;
}

type Traced<T> = T & { readonly stepId: string | undefined };

export interface EntryProvenance extends Omit<Provenance, "repetitions"> {
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
