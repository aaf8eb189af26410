import type { MessageOrigin } from "../../../../src/domain/conversation/conversation.js";
import type { Span } from "../../../../src/domain/spans/span.js";

export interface ConversationTurn {
  readonly entry: number;
  /** `undefined` if the trace has none, or the match is ambiguous. */
  readonly span: Span | undefined;
}

interface Draft {
  readonly entry: number;
  span: Span | undefined;
}

/**
 * A turn begins with a prompt, or with content of another turn in the trace; a prompt inside a turn, such as a queued one, is part of it.
 * Matches the trace by ids of calls. Turns without ids, such as aborted ones, are matched by order, if both sides have as many between
 * two matches.
 * @param origins by entry
 * @param spans by entry: its spans in the trace
 * @param turns of the agent, in the order of the trace
 */
export function turnOutline(
  origins: readonly MessageOrigin[],
  spans: readonly (Span | undefined)[],
  turns: readonly Span[],
): readonly ConversationTurn[] {
  const drafts: Draft[] = [];
  const places = new Map<Span, number>();
  let latest = -1;
  let wasPrompt = false;
  for (const [entry, origin] of origins.entries()) {
    const isPrompt = origin === "user";
    if (isPrompt && !wasPrompt) drafts.push({ entry, span: undefined });
    wasPrompt = isPrompt;
    const turn = turnOf(spans[entry]);
    if (turn === undefined) continue;
    const place = places.get(turn);
    if (place !== undefined) {
      if (place === latest) drafts.length = place + 1;
      continue;
    }
    const last = drafts.at(-1);
    if (last !== undefined && last.span === undefined) last.span = turn;
    else drafts.push({ entry, span: turn });
    latest = drafts.length - 1;
    places.set(turn, latest);
  }
  matchByOrder(drafts, turns);
  return withoutNotes(drafts, origins, turns);
}

/** An unanswered user message without a turn in a complete trace notes an interruption of the previous turn. */
function withoutNotes(
  drafts: readonly Draft[],
  origins: readonly MessageOrigin[],
  turns: readonly Span[],
): readonly ConversationTurn[] {
  const spanCount = drafts.filter(({ span }) => span !== undefined).length;
  if (turns.length === 0 || spanCount < turns.length) return drafts;
  return drafts.filter(({ entry, span }, at) => {
    if (at === 0 || span !== undefined) return true;
    const own = origins.slice(entry, drafts[at + 1]?.entry);
    return own.some((origin) => origin === "assistant" || origin === "tool");
  });
}

function turnOf(span: Span | undefined): Span | undefined {
  for (let at = span; at !== undefined && at.agentId === span!.agentId; at = at.parent) {
    if (at.kind === "turn") return at;
  }
  return undefined;
}

function matchByOrder(drafts: readonly Draft[], turns: readonly Span[]): void {
  const order = new Map(turns.map((turn, index) => [turn, index]));
  let place = 0;
  for (let from = 0; from < drafts.length; from++) {
    const span = drafts[from]!.span;
    if (span !== undefined) {
      place = Math.max(place, (order.get(span) ?? -1) + 1);
      continue;
    }
    let to = from;
    while (to < drafts.length && drafts[to]!.span === undefined) to++;
    const next = to === drafts.length ? turns.length : order.get(drafts[to]!.span!);
    if (next !== undefined && next - place === to - from) {
      for (let at = from; at < to; at++) drafts[at]!.span = turns[place + at - from];
    }
    from = to - 1;
  }
}

/**
 * -1 before the first turn.
 * @param starts first entries of the turns, in order
 */
export function turnAt(starts: readonly number[], entry: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= entry) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
