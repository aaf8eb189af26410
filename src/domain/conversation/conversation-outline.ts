/**
 * Why a model sees a part of its conversation no more:
 * - `compaction`: a summary took the place of what was said.
 * - `micro-compaction`: results of tools were cleared to make room.
 * - `rewind`: somebody went back to an earlier message, and on from there.
 * - `request`: the request as it was sent holds another message in its place, or none: nobody took it back.
 */
export type RemovalCause = "compaction" | "micro-compaction" | "rewind" | "request";

/** Messages by their indexes, from the first one up to, but without, the second. */
export type MessageRun = readonly [from: number, to: number];

/** A place of a conversation behind which its model calls see less of what lies before. */
export interface ContextRemoval {
  /** How many messages of the conversation lie before it. */
  readonly at: number;
  readonly cause: RemovalCause;
  /** When it was, in ISO 8601. Absent where nobody knows. */
  readonly timestamp?: string;
  /** The messages that are seen no more. Those that an earlier removal took may be among them. */
  readonly messages: readonly MessageRun[];
  /** Messages that an earlier removal took and that are seen again: somebody went back to before it. Default is none. */
  readonly restored?: readonly MessageRun[];
  /**
   * All that is seen behind it of the messages before it, in the order in which it is seen: nothing besides. Default is that the others
   * are seen as before, in the order of the conversation.
   */
  readonly seen?: readonly MessageRun[];
  /** The tool calls whose results are seen no more, by their vendor's ids: a note stands in the place of each. Default is none. */
  readonly toolCallIds?: readonly string[];
}

/** Whether a cause makes room in the context. */
export function isCompaction({ cause }: ContextRemoval): boolean {
  return cause === "compaction" || cause === "micro-compaction";
}

/** A model call, and how many messages of the conversation lay before its answer; one that was aborted may have none. */
export interface OutlinedCall {
  /** As its `llm.start` names it. */
  readonly callId: string;
  readonly at: number;
  /** Whether it is recorded which messages it was sent: then it saw exactly these. Default is that it is not. */
  readonly isRecorded?: boolean;
}

/**
 * What a history says of its conversation beside the messages: where its model calls lie among them, and what was taken away. Both are in
 * the order of the conversation. Plain data.
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

/** What a model sees in the place of the result of a tool that was cleared. */
export const CLEARED_RESULT = "[Old tool result content cleared]";

/** Which messages of a conversation a call sees, as far as it has been followed. */
export class VisibleMessages {
  /** The last run goes on with the conversation. */
  runs: readonly MessageRun[] = [[0, Number.POSITIVE_INFINITY]];
  /** The tool calls whose results were cleared. */
  cleared: ReadonlySet<string> = NONE;

  /** Whether a message is seen. */
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
