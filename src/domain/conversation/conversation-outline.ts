/**
 * - `compaction`: a summary replaced the messages.
 * - `micro-compaction`: tool results were cleared to make room.
 * - `rewind`: somebody returned to an earlier message, and continued from there.
 * - `request`: the recorded request has another message instead, or none, although nobody rewound.
 */
export type RemovalCause = "compaction" | "micro-compaction" | "rewind" | "request";

/** Indexes of messages, without `to`. */
export type MessageRun = readonly [from: number, to: number];

/** A position in a conversation: later model calls receive fewer of the earlier messages. */
export interface ContextRemoval {
  /** Number of messages before it. */
  readonly at: number;
  readonly cause: RemovalCause;
  /** ISO 8601. Absent without a record. */
  readonly timestamp?: string;
  /** May include messages of an earlier removal. */
  readonly messages: readonly MessageRun[];
  /**
   * Messages of an earlier removal that return to the context, because somebody returned to a position before it. Default is an empty
   * list.
   */
  readonly restored?: readonly MessageRun[];
  /** All earlier messages that remain in the context, in context order. By default the other messages stay, in conversation order. */
  readonly seen?: readonly MessageRun[];
  /** Tool calls whose results a note replaces, by the vendor's ids. Default is an empty list. */
  readonly toolCallIds?: readonly string[];
}

export function isCompaction({ cause }: ContextRemoval): boolean {
  return cause === "compaction" || cause === "micro-compaction";
}

/** `at` is the number of messages before its answer; an aborted call may have none. */
export interface OutlinedCall {
  readonly callId: string;
  readonly at: number;
  /** True if the request's messages are recorded: they are exactly its context. Default is false. */
  readonly isRecorded?: boolean;
}

/**
 * Positions of model calls, and removals, both in conversation order. Plain data.
 * @example
 * // Somebody took the second question back before the third one.
 * { calls: [{ callId: "m1", at: 1 }, { callId: "m2", at: 3 }, { callId: "m3", at: 5 }],
 *   removals: [{ at: 4, cause: "rewind", timestamp: "2026-03-01T10:02:00.000Z", messages: [[2, 4]] }] }
 */
export interface ConversationOutline {
  readonly calls: readonly OutlinedCall[];
  readonly removals: readonly ContextRemoval[];
}

export const CLEARED_RESULT = "[Old tool result content cleared]";

export class VisibleMessages {
  runs: readonly MessageRun[] = [[0, Number.POSITIVE_INFINITY]];
  cleared: ReadonlySet<string> = NONE;

  sees(index: number): boolean {
    const holds = ([from, to]: MessageRun) => index >= from && index < to;
    const last = this.runs.at(-1);
    return (last !== undefined && holds(last)) || this.runs.some(holds);
  }

  apply({ at, messages, restored = [], seen: context, toolCallIds = [] }: ContextRemoval): void {
    if (context !== undefined) this.runs = [...context, [at, Number.POSITIVE_INFINITY]];
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

function joinedRuns(runs: readonly MessageRun[]): readonly MessageRun[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...runs].sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (from < to) joined.push([from, to]);
  }
  return joined;
}

export function outlineBetween(
  { calls, removals }: ConversationOutline,
  from: number,
  to: number,
): ConversationOutline {
  const lies = ({ at }: { readonly at: number }) => at >= from && at < to;
  return { calls: calls.filter(lies), removals: removals.filter(lies) };
}
