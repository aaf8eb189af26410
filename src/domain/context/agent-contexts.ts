import { matchCalls } from "../conversation/call-matches.js";
import { type ContextCall, contextCalls } from "../conversation/context-calls.js";
import type { ContextRemoval, ConversationOutline } from "../conversation/conversation-outline.js";
import { addTo } from "../lists/lists.js";
import type { ModelCall } from "../steps/session-steps.js";
import { contextTokens } from "../usage/token-counts.js";
import { type ContextShare, calibrateContexts } from "./calibrate-contexts.js";
import type { ContextItem, ItemisedMessage } from "./context-item.js";

/** Without the item at `to`. */
export type ItemRun = readonly [from: number, to: number];

export interface ContextOfCall extends ContextShare {
  readonly call: ModelCall;
  /** In the order of the context; positions in the items of its agent. */
  readonly runs: readonly ItemRun[];
  readonly isRecorded: boolean;
  readonly removals: readonly ContextRemoval[];
  /** The first position in the context that differs from the previous call; `undefined` if it only grew. */
  readonly rewrittenAt: number | undefined;
}

export interface AgentContexts {
  readonly agentId: string;
  readonly items: readonly ContextItem[];
  readonly contexts: readonly ContextOfCall[];
  readonly unseen: readonly ModelCall[];
}

/**
 * Contexts as recorded on the calls, otherwise as derived from the conversation.
 * @param recorded by the id of the call's step
 */
export function agentContexts(
  agentId: string,
  messages: readonly ItemisedMessage[],
  calls: readonly ModelCall[],
  recorded: ReadonlyMap<string, readonly ItemisedMessage[]>,
  outline?: ConversationOutline,
): AgentContexts {
  const table = new ItemTable();
  table.addAll(messages);
  const historyCalls = contextCalls(messages, outline);
  const traced = calls.map((call) => ({
    spanId: call.stepId,
    at: call.at,
    tokens: undefined,
    messageId: call.messageId,
    call,
  }));
  const { matches: existing } = matchCalls(historyCalls, traced, ({ spanId }) => recorded.has(spanId));
  const visited = new Set<string>();
  const contexts: Omit<ContextOfCall, keyof ContextShare>[] = [];
  let input: readonly ContextMessage[] = [];
  for (const { call: context, traced: step } of existing) {
    if (step === undefined) continue;
    const { call } = step;
    visited.add(call.stepId);
    const own = recorded.get(call.stepId);
    if (own !== undefined) {
      const next = table.addInput(own, input);
      const rewrittenAt = firstDifference(input, next);
      const runs = joinRuns(next.map(({ run }) => run));
      contexts.push({ call, runs, isRecorded: true, removals: [], rewrittenAt });
      input = next;
    } else if (context !== undefined) {
      const runs = table.runsOf(context);
      const { removals } = context;
      contexts.push({ call, runs, isRecorded: false, removals, rewrittenAt: undefined });
    }
  }
  const { items } = table;
  const sizes = table.sizes();
  const shares = calibrateContexts(
    contexts.map(({ call, runs }) => ({
      counted: call.usage && contextTokens(call.usage),
      estimated: runs.reduce((sum, [from, to]) => sum + sizes[to]! - sizes[from]!, 0),
    })),
  );
  return {
    agentId,
    items,
    contexts: contexts.map((context, i) => ({ ...context, ...shares[i]! })),
    unseen: calls.filter(({ stepId }) => !visited.has(stepId)),
  };
}

interface ContextMessage {
  readonly run: ItemRun;
  readonly hashes: readonly number[];
}

class ItemTable {
  readonly items: ContextItem[] = [];
  #places = new Float64Array(1);
  readonly #replaced: { readonly at: number; readonly run: ItemRun }[] = [];
  readonly #results = new Map<string, number[]>();
  #cleared: { readonly of: ReadonlySet<string>; readonly places: readonly number[] } | undefined;

  addAll(messages: readonly ItemisedMessage[]): void {
    this.#places = new Float64Array(messages.length + 1);
    for (const [i, message] of messages.entries()) {
      this.#places[i] = this.items.length;
      for (const item of message.items) {
        if (item.part === "result") addTo(this.#results, item.toolCallId, this.items.length);
        this.items.push(item);
      }
    }
    this.#places[messages.length] = this.items.length;
    for (const [at, { replacement }] of messages.entries()) {
      if (replacement === undefined) continue;
      const from = this.items.length;
      for (const one of replacement) for (const item of one.items) this.items.push(item);
      this.#replaced.push({ at, run: [from, this.items.length] });
    }
  }

  runsOf({ visible, to, cleared }: ContextCall): readonly ItemRun[] {
    const runs: ItemRun[] = [];
    for (const [first, last] of visible) {
      const end = Math.min(last, to);
      let from = first;
      for (const { at, run } of this.#replaced) {
        if (at < from || at >= end) continue;
        runs.push([this.#places[from]!, this.#places[at]!], run);
        from = at + 1;
      }
      if (from < end) runs.push([this.#places[from]!, this.#places[end]!]);
    }
    const holes = this.#placesOf(cleared);
    return joinRuns(holes.length === 0 ? runs : runs.flatMap((run) => runsWithout(run, holes)));
  }

  #placesOf(cleared: ReadonlySet<string>): readonly number[] {
    if (this.#cleared?.of !== cleared) {
      const places = [...cleared].flatMap((id) => this.#results.get(id) ?? []).sort((a, b) => a - b);
      this.#cleared = { of: cleared, places };
    }
    return this.#cleared.places;
  }

  addInput(
    messages: readonly ItemisedMessage[],
    before: readonly ContextMessage[],
  ): readonly ContextMessage[] {
    return messages.map(({ items }, i) => {
      const hashes = items.map(({ hash }) => hash);
      const existing = before[i];
      if (existing !== undefined && isEqual(existing.hashes, hashes)) return existing;
      const from = this.items.length;
      for (const item of items) this.items.push(item);
      return { run: [from, this.items.length], hashes };
    });
  }

  sizes(): Float64Array {
    return runningSizes(this.items);
  }
}

export function runningSizes(items: readonly ContextItem[]): Float64Array {
  const sizes = new Float64Array(items.length + 1);
  for (const [i, { estimate }] of items.entries()) sizes[i + 1] = sizes[i]! + estimate;
  return sizes;
}

function runsWithout([from, to]: ItemRun, holes: readonly number[]): readonly ItemRun[] {
  const runs: ItemRun[] = [];
  let at = from;
  for (const hole of holes) {
    if (hole < at || hole >= to) continue;
    runs.push([at, hole]);
    at = hole + 1;
  }
  return [...runs, [at, to]];
}

function joinRuns(runs: readonly ItemRun[]): readonly ItemRun[] {
  const joined: [number, number][] = [];
  for (const [from, to] of runs) {
    const last = joined.at(-1);
    if (from === to) continue;
    if (last?.[1] === from) last[1] = to;
    else joined.push([from, to]);
  }
  return joined;
}

function firstDifference(
  before: readonly ContextMessage[],
  now: readonly ContextMessage[],
): number | undefined {
  const at = before.findIndex((message, i) => message !== now[i]);
  return at === -1 ? undefined : at;
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
