import type { CallTotals } from "./call-totals.js";
import type { ContextItem } from "./context-item.js";
import type { ContextPoint, ModelTotals, SessionCounts } from "./session-summary.js";
import type { StepComparison } from "./step-comparison.js";

/**
 * Two sessions side by side: an answer of the API as it is. What has two values has the first session's first. Units are those of a
 * summary; money is in US dollars.
 */
export interface SessionComparison {
  readonly sessions: readonly [ComparedSession, ComparedSession];
  readonly tools: readonly ComparedTool[];
  readonly files: readonly ComparedFile[];
  /** Where the main agents' conversations say something else for the first time; `null` where they say the same. */
  readonly difference: SessionDifference | null;
  readonly conversation: ComparedConversation;
  /** What the main agents did, step by step. */
  readonly steps: StepComparison;
}

export interface ComparedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** From the first to the last recorded instant. */
  readonly ms: number;
  readonly counts: SessionCounts;
  readonly total: CallTotals;
  readonly models: readonly ModelTotals[];
  /** Of the main agent; at most 500 points. */
  readonly curve: readonly (ContextPoint & {
    /** Milliseconds since the session began. */
    readonly ms: number;
  })[];
  /** What came from the difference on; absent where there is none, or where it is not known when it was. */
  readonly fromDifference?: { readonly ms: number; readonly total: CallTotals };
}

export interface ComparedTool {
  readonly name: string;
  readonly calls: readonly [number, number];
  readonly failed: readonly [number, number];
}

export interface ComparedFile {
  readonly path: string;
  /** Calls of tools that name it. */
  readonly calls: readonly [number, number];
}

/**
 * Where two conversations say something else for the first time:
 * - `argument`: the same tool is called with something else.
 * - `result`: a tool gave something else back.
 * - `message`: anything else that is said is another thing, or in another place.
 * - `order`: both say the same, in another order.
 * - `end`: one of them ends, and the other goes on.
 */
export type DifferenceKind = "argument" | "result" | "message" | "order" | "end";

export interface SessionDifference {
  readonly kind: DifferenceKind;
  /** How many parts of messages are the same before it. */
  readonly at: number;
  /** `null` of the session that has ended there. */
  readonly sides: readonly [DifferenceSide | null, DifferenceSide | null];
}

export interface DifferenceSide {
  readonly messageIndex: number;
  readonly partIndex: number;
  readonly origin: ContextItem["origin"];
  readonly part: ContextItem["part"];
  /** Of a tool call. */
  readonly toolName?: string;
  /** The row of the trace that it is of: a tool call, else the model call that first saw or said it. */
  readonly stepId?: string;
  /** Its text, at most 4,000 characters from a little before where the two differ. */
  readonly text: string;
  /** How many characters were left out before and behind that. */
  readonly cutBefore: number;
  readonly cutBehind: number;
}

/** How far two conversations agree, in parts of messages. */
export interface ComparedConversation {
  readonly parts: readonly [number, number];
  /** In both, in the same order. Absent where they differ too much to be lined up. */
  readonly shared?: number;
  /** Where they differ, in order; at most 50. Places among the parts of each: from the first up to, but without, the last. */
  readonly changes?: readonly (readonly [a: readonly [number, number], b: readonly [number, number]])[];
}
