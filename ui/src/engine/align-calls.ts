import type { ContextCall } from "../model/context-calls.js";

/** A model call of the main agent, as the trace tells of it. */
export interface TracedCall {
  readonly spanId: string;
  readonly at: number;
  /** What it read, as the vendor counted it. */
  readonly tokens: number | undefined;
  readonly messageId: string | undefined;
}

/**
 * Finds each call of the history in the trace: by the id of its answer where both know it, else counted from the end,
 * because a compaction that rewrites the history takes its beginning away.
 */
export function alignCalls(
  calls: readonly ContextCall[],
  traced: readonly TracedCall[],
): { readonly matches: readonly (TracedCall | undefined)[]; readonly unseen: number } {
  const byId = new Map(
    traced.flatMap((call) => (call.messageId === undefined ? [] : [[call.messageId, call] as const])),
  );
  const known = calls.some(({ answerId }) => answerId !== undefined && byId.has(answerId));
  const shift = traced.length - calls.length;
  const matches = calls.map(({ answerId }, place) =>
    known ? (answerId === undefined ? undefined : byId.get(answerId)) : traced[place + shift],
  );
  const found = matches.filter((match) => match !== undefined).length;
  return { matches, unseen: Math.max(0, traced.length - found) };
}
