import type { ContextItem } from "../context/context-item.js";
import type { CallTotals } from "../cost/call-totals.js";
import type { SessionKey } from "../session/session-key.js";
import type { ContextPoint, ModelTotals, SessionCounts } from "../summary/session-summary.js";
import type { StepComparison } from "./step-comparison.js";

/** An answer of the API. Pairs begin with the first session's value. Units are those of a summary; money is in US dollars. */
export interface SessionComparison {
  readonly sessions: readonly [ComparedSession, ComparedSession];
  readonly tools: readonly ComparedTool[];
  readonly files: readonly ComparedFile[];
  /** Of the main agents' conversations; `null` if they are equal. */
  readonly difference: SessionDifference | null;
  readonly conversation: ComparedConversation;
  readonly steps: StepComparison;
}

export interface ComparedSession extends SessionKey {
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** From the first to the last recorded instant. */
  readonly ms: number;
  readonly counts: SessionCounts;
  readonly total: CallTotals;
  readonly models: readonly ModelTotals[];
  /** Of the main agent; at most 500 points. */
  readonly curve: readonly (ContextPoint & {
    /** Milliseconds since the start of the session. */
    readonly ms: number;
  })[];
  /** From the difference onwards; absent without a difference, or without its instant. */
  readonly fromDifference?: { readonly ms: number; readonly total: CallTotals };
}

export interface ComparedTool {
  readonly name: string;
  readonly calls: readonly [number, number];
  readonly failed: readonly [number, number];
}

export interface ComparedFile {
  readonly path: string;
  readonly calls: readonly [number, number];
}

/**
 * Kind of the first difference between two conversations:
 * - `argument`: the same tool has another input.
 * - `result`: a tool returned another result.
 * - `message`: any other text differs, or is at another position.
 * - `order`: both have the same texts in another order.
 * - `end`: one conversation ends, and the other continues.
 */
export type DifferenceKind = "argument" | "result" | "message" | "order" | "end";

export interface SessionDifference {
  readonly kind: DifferenceKind;
  /** Number of equal message parts before it. */
  readonly at: number;
  /** `null` for a session that has ended there. */
  readonly sides: readonly [DifferenceSide | null, DifferenceSide | null];
}

export interface DifferenceSide {
  readonly messageIndex: number;
  readonly partIndex: number;
  readonly origin: ContextItem["origin"];
  readonly part: ContextItem["part"];
  readonly toolName?: string;
  /** Row in the trace: a tool call, otherwise the model call that wrote it or first had it in its context. */
  readonly stepId?: string;
  /** At most 4,000 characters, from a little before the difference. */
  readonly text: string;
  readonly cutBefore: number;
  readonly cutBehind: number;
}

export interface ComparedConversation {
  readonly parts: readonly [number, number];
  /** In both, in the same order. Absent if they differ too much for an alignment. */
  readonly shared?: number;
  /** At most 50, in order. Ranges of part indexes, without their ends. */
  readonly changes?: readonly (readonly [a: readonly [number, number], b: readonly [number, number]])[];
}
