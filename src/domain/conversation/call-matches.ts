import type { ContextCall } from "./context-calls.js";

/** A model call of the main agent, as the trace records it. */
export interface TracedCall {
  readonly spanId: string;
  readonly at: number;
  /** Tokens that it read, as counted by the vendor. */
  readonly tokens: number | undefined;
  readonly messageId: string | undefined;
}

/** A model call with its position in the history, its span in the trace, or both. */
export interface MatchedCall<T extends TracedCall> {
  readonly call: ContextCall | undefined;
  readonly traced: T | undefined;
}

/**
 * Returns the calls with a context, in trace order: those of the history, and those of the trace that `isRecorded` selects.
 * @param isRecorded selects no call by default
 */
export function matchCalls<T extends TracedCall>(
  calls: readonly ContextCall[],
  traced: readonly T[],
  isRecorded: (call: T) => boolean = () => false,
): { readonly matches: readonly MatchedCall<T>[]; readonly unseen: number } {
  const aligned = alignCalls(calls, traced);
  const matched = new Set(aligned);
  const matches: MatchedCall<T>[] = [];
  const unseen: T[] = [];
  let next = 0;
  const passTo = (end: number) => {
    for (; next < end; next++) {
      const one = traced[next]!;
      if (matched.has(one)) continue;
      if (isRecorded(one)) matches.push({ call: undefined, traced: one });
      else unseen.push(one);
    }
  };
  for (const [place, call] of calls.entries()) {
    const match = aligned[place];
    if (match !== undefined) passTo(traced.indexOf(match, next));
    matches.push({ call, traced: match });
  }
  passTo(traced.length);
  return { matches, unseen: unseen.length };
}

/**
 * Finds each call of the history in the trace: by the id of its answer where both know it, else counted from the end,
 * because a compaction may have removed the beginning of the history.
 */
function alignCalls<T extends TracedCall>(
  calls: readonly ContextCall[],
  traced: readonly T[],
): readonly (T | undefined)[] {
  const byId = new Map(
    traced.flatMap((call) => (call.messageId === undefined ? [] : [[call.messageId, call] as const])),
  );
  const hasIds = calls.some(({ answerId }) => answerId !== undefined && byId.has(answerId));
  const shift = traced.length - calls.length;
  return calls.map(({ answerId }, place) =>
    hasIds ? (answerId === undefined ? undefined : byId.get(answerId)) : traced[place + shift],
  );
}
