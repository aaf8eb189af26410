/**
 * Why a part of a conversation left the context:
 * - `compaction`: a summary replaced it.
 * - `micro-compaction`: tool results were cleared to make room.
 * - `rewind`: somebody returned to an earlier message, and continued from there.
 * - `request`: the recorded request has another message instead, or none, although nobody rewound.
 */
export type RemovalCause = "compaction" | "micro-compaction" | "rewind" | "request";

/** Messages by their indexes, from the first one up to, but without, the second. */
export type MessageRun = readonly [from: number, to: number];

/** A position in a conversation. Model calls after it have a smaller part of the earlier messages in their context. */
export interface ContextRemoval {
  /** Number of messages of the conversation before it. */
  readonly at: number;
  readonly cause: RemovalCause;
  /** When it was, in ISO 8601. Absent where nobody knows. */
  readonly timestamp?: string;
  /** The removed messages. They may include messages of an earlier removal. */
  readonly messages: readonly MessageRun[];
  /** Messages of an earlier removal that are in the context again: somebody returned to a position before it. Default is an empty list. */
  readonly restored?: readonly MessageRun[];
  /**
   * The complete list of earlier messages that remain in the context after it, in context order. By default the other messages stay, in
   * conversation order.
   */
  readonly seen?: readonly MessageRun[];
  /**
   * Tool calls whose results are no longer in the context, by their vendor's ids: a note replaces each result. Default is an empty list.
   */
  readonly toolCallIds?: readonly string[];
}

/** True for causes that make room in the context. */
export function isCompaction({ cause }: ContextRemoval): boolean {
  return cause === "compaction" || cause === "micro-compaction";
}

/** A model call, and how many messages of the conversation lay before its answer; one that was aborted may have none. */
export interface OutlinedCall {
  /** As its `llm.start` names it. */
  readonly callId: string;
  readonly at: number;
  /** True if the messages of its request are recorded: its context is exactly these messages. Default is false. */
  readonly isRecorded?: boolean;
}

/**
 * Facts of a conversation beside its messages: the positions of its model calls, and the removals. Both are in conversation order. Plain
 * data.
 *
 * @example
 * // The second question was taken back before the third one was asked.
 * { calls: [{ callId: "m1", at: 1 }, { callId: "m2", at: 3 }, { callId: "m3", at: 5 }],
 *   removals: [{ at: 4, cause: "rewind", timestamp: "2026-03-01T10:02:00.000Z", messages: [[2, 4]] }] }
 */
export interface ConversationOutline {
  readonly calls: readonly OutlinedCall[];
  readonly removals: readonly ContextRemoval[];
}

/** Replaces a cleared tool result in the context. */
export const CLEARED_RESULT = "[Old tool result content cleared]";

/** The messages of a conversation that are in the context of the next call. */
export class VisibleMessages {
  /** The last run grows with the conversation. */
  runs: readonly MessageRun[] = [[0, Number.POSITIVE_INFINITY]];
  /** The tool calls whose results were cleared. */
  cleared: ReadonlySet<string> = NONE;

  /** True if a message is in the context. */
  sees(index: number): boolean {
    const holds = ([from, to]: MessageRun) => index >= from && index < to;
    const last = this.runs.at(-1);
    return (last !== undefined && holds(last)) || this.runs.some(holds);
  }

  apply({ at, messages, restored = [], seen, toolCallIds = [] }: ContextRemoval): void {
    if (seen !== undefined) this.runs = [...seen, [at, Number.POSITIVE_INFINITY]];
    for (const [from, to] of messages) {
      this.runs = this.runs.flatMap(([first, end]): MessageRun[] => {
        if (to <= first || from >= end) return [[first, end]];
        const before: MessageRun = [first, Math.min(from, end)];
        const behind: MessageRun = [Math.max(to, first), end];
        return [before, behind].filter(([a, b]) => a < b);
      });
    }
    if (restored.length > 0) this.runs = joinedRuns([...this.runs, ...restored]);
    if (toolCallIds.length > 0) this.cleared = new Set([...this.cleared, ...toolCallIds]);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Runs in their order, with those in one that overlap or lie side by side. */
function joinedRuns(runs: readonly MessageRun[]): readonly MessageRun[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...runs].sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (from < to) joined.push([from, to]);
  }
  return joined;
}

/** The part of an outline that some messages of the conversation lie in, for an answer that holds these alone. */
export function outlineBetween(
  { calls, removals }: ConversationOutline,
  from: number,
  to: number,
): ConversationOutline {
  const lies = ({ at }: { readonly at: number }) => at >= from && at < to;
  return { calls: calls.filter(lies), removals: removals.filter(lies) };
}
