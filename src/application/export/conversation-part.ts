import { type MatchedCall, matchCalls, type TracedCall } from "../../domain/conversation/call-matches.js";
import { contextCalls } from "../../domain/conversation/context-calls.js";
import { contextOf } from "../../domain/conversation/context-messages.js";
import type { ReadMessage } from "../../domain/conversation/conversation.js";
import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import { isModelCall, tracedCall } from "../../domain/conversation/model-call-of.js";
import type { Span } from "../../domain/spans/span.js";
import type { ConversationPart } from "./chosen-spans.js";

export interface SearchedMessages {
  readonly messages: readonly ReadMessage[];
  readonly outline: ConversationOutline | undefined;
  readonly toolMessages: readonly number[];
}

/**
 * Locates turns by their model calls: a turn begins with the person's messages after the previous answer. Without a model call the number
 * of earlier prompts locates it, if conversation and trace have equally many turns.
 * @param spans of the complete trace
 */
export function conversationPart(
  { messages, outline, toolMessages }: SearchedMessages,
  part: ConversationPart,
  agentId: string,
  spans: readonly Span[],
): Uint32Array {
  const own = spans.filter((span) => span.agentId === agentId);
  const calls = own.filter(isModelCall).sort((a, b) => a.start.index - b.start.index);
  const { matches: existing } = matchCalls(contextCalls(messages, outline), calls.map(tracedCall));
  const chosen = new Set(toolMessages);
  const addRun = (from: number, to: number) => {
    for (let at = from; at < to; at++) chosen.add(at);
  };
  const callOf = new Map(existing.map(({ call, traced }) => [traced?.spanId, call]));
  for (const { id } of part.calls) {
    const call = callOf.get(id);
    if (call !== undefined) addRun(call.to, call.answerEnd);
  }
  let isInContext = false;
  for (const { id } of part.readers) {
    const call = callOf.get(id);
    isInContext ||= call !== undefined;
    if (call !== undefined) for (const { index } of contextOf(messages, call)) chosen.add(Math.floor(index));
  }
  const turns = turnRuns(
    messages,
    existing,
    own.filter(({ kind }) => kind === "turn"),
  );
  for (const turn of part.turns) {
    const run = turns.get(turn);
    if (run !== undefined) addRun(run.from, run.to);
  }
  // A prompt that the context of a call does not contain any more is not part of it.
  for (const turn of isInContext ? [] : part.prompts) {
    const run = turns.get(turn);
    if (run !== undefined) addRun(run.from, run.promptEnd);
  }
  return Uint32Array.from(chosen).sort();
}

interface TurnRun {
  readonly from: number;
  readonly promptEnd: number;
  to: number;
}

function turnRuns(
  messages: readonly ReadMessage[],
  existing: readonly MatchedCall<TracedCall>[],
  turns: readonly Span[],
): ReadonlyMap<Span, TurnRun> {
  const placed = turnsByCalls(messages, existing, turns);
  const runs = placed.size > 0 ? placed : turnsByOrder(messages, turns);
  let last: TurnRun | undefined;
  for (const run of [...runs.values()].sort((a, b) => a.from - b.from)) {
    if (last !== undefined) last.to = run.from;
    last = run;
  }
  return runs;
}

function turnsByCalls(
  messages: readonly ReadMessage[],
  existing: readonly MatchedCall<TracedCall>[],
  turns: readonly Span[],
): Map<Span, TurnRun> {
  const turnOf = new Map<string, Span>();
  for (const turn of turns) for (const id of callsIn(turn)) turnOf.set(id, turn);
  const runs = new Map<Span, TurnRun>();
  let before = 0;
  for (const { call, traced } of existing) {
    if (call === undefined) continue;
    const turn = turnOf.get(traced?.spanId ?? "");
    if (turn !== undefined && !runs.has(turn)) {
      let from = before;
      while (from < call.to && messages[from]!.origin !== "user") from++;
      runs.set(turn, { from, promptEnd: Math.max(from, call.to), to: messages.length });
    }
    before = Math.max(before, call.answerEnd);
  }
  return runs;
}

function turnsByOrder(messages: readonly ReadMessage[], turns: readonly Span[]): Map<Span, TurnRun> {
  const prompts = messages.flatMap(({ origin }, at) =>
    origin === "user" && messages[at - 1]?.origin !== "user" ? [at] : [],
  );
  if (prompts.length !== turns.length) return new Map();
  return new Map(
    turns.map((turn, i) => {
      const from = prompts[i]!;
      let promptEnd = from;
      while (messages[promptEnd]?.origin === "user") promptEnd++;
      return [turn, { from, promptEnd, to: messages.length }];
    }),
  );
}

function callsIn(turn: Span): readonly string[] {
  const ids: string[] = [];
  const open = [turn];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    if (isModelCall(span)) ids.push(span.id);
    for (const child of span.children) if (child.agentId === turn.agentId) open.push(child);
  }
  return ids;
}
