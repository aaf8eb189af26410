import type { MessageOrigin } from "../../../src/domain/conversation/conversation.js";
import type { Span } from "../../../src/domain/spans/span.js";

/** A turn of a conversation: a prompt, and all messages and work that follow it. */
export interface ConversationTurn {
  /** Its first entry. All entries up to that of the next turn are its own. */
  readonly entry: number;
  /** The turn in the trace; `undefined` if the trace has none, or the match is ambiguous. */
  readonly span: Span | undefined;
}

interface Draft {
  readonly entry: number;
  span: Span | undefined;
}

/**
 * Returns the turns of a conversation. A turn begins with each prompt, and with content that belongs to another turn in the trace: a turn
 * that nobody requested has no prompt. A prompt in the middle of a turn, such as a queued prompt, is part of it.
 *
 * Turns are matched with the trace by the ids of their model calls and tool calls. Turns without ids, such as aborted turns, are matched
 * by order. This requires as many turns in the trace as in the conversation between two matched turns.
 *
 * @param origins of the entries, in the order of the conversation
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
      // Prompts since then came in the middle of it.
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

/** An unanswered user message that is not a turn of a complete trace is a note on the previous turn: of an interruption. */
function withoutNotes(
  drafts: readonly Draft[],
  origins: readonly MessageOrigin[],
  turns: readonly Span[],
): readonly ConversationTurn[] {
  const found = drafts.filter(({ span }) => span !== undefined).length;
  if (turns.length === 0 || found < turns.length) return drafts;
  return drafts.filter(({ entry, span }, at) => {
    if (at === 0 || span !== undefined) return true;
    const own = origins.slice(entry, drafts[at + 1]?.entry);
    return own.some((origin) => origin === "assistant" || origin === "tool");
  });
}

/** Returns the turn of the same agent that contains a span. */
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
    const known = drafts[from]!.span;
    if (known !== undefined) {
      place = Math.max(place, (order.get(known) ?? -1) + 1);
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
 * The turn that an entry belongs to; -1 for what comes before the first one.
 *
 * @param starts the first entries of the turns, in their order
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
