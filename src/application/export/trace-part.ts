import { modelCallOf } from "../../domain/conversation/model-call-of.js";
import { TraceOfFailures } from "../../domain/diagnosis/failures.js";
import type { EventFacts } from "../../domain/spans/event-facts.js";
import { type Span, walkSpans } from "../../domain/spans/span.js";
import { spanTree } from "../../domain/spans/span-tree.js";
import { visibleText } from "../../domain/text/visible-text.js";
import { InvalidRequestError } from "../errors.js";
import { Changes, Successes } from "./around-step.js";
import { ChosenSpans, type ConversationPart } from "./chosen-spans.js";

export type NamedPart =
  | { readonly kind: "errors" }
  | { readonly kind: "turn"; readonly number: number }
  | { readonly kind: "agent"; readonly id: string }
  | { readonly kind: "step"; readonly id: string };

export interface TracePart {
  readonly events: ReadonlySet<number>;
  readonly conversations: ReadonlyMap<string, ConversationPart>;
  readonly turns: readonly number[];
  readonly spans: readonly Span[];
}

/**
 * Selects the events of a part, which is complete by itself: the surroundings of a step begin and end in it.
 *
 * @param events of the complete trace, in its order
 * @throws InvalidRequestError for a part that does not exist
 */
export function* tracePart(events: readonly EventFacts[], part: NamedPart): Generator<void, TracePart> {
  const roots = yield* spanTree(events);
  const spans: Span[] = [];
  walkSpans(roots, (span) => spans.push(span));
  yield;
  const chosen = new ChosenSpans(spans);
  for (const span of spans) if (span.kind === "session" && span.agentId === "") chosen.addEnds(span);
  switch (part.kind) {
    case "errors":
      yield* chooseErrors(chosen, roots, spans);
      break;
    case "turn":
      chosen.addTurn(turnNumbered(spans, part.number));
      break;
    case "agent":
      chosen.addAll(agentNamed(spans, part.id));
      break;
    case "step":
      chooseStep(chosen, spans, part.id);
      break;
    default:
      part satisfies never;
  }
  const turns = turnsOf(spans).flatMap(({ start }, i) => (chosen.events.has(start.index) ? [i + 1] : []));
  return { events: chosen.events, conversations: chosen.conversations, turns, spans };
}

function* chooseErrors(
  chosen: ChosenSpans,
  roots: readonly Span[],
  spans: readonly Span[],
): Generator<void, void> {
  const failures = yield* new TraceOfFailures(roots).failures();
  if (failures.length === 0) throw noSuchPart(spans, "means errors, and nothing failed");
  const byId = new Map<string, Span>();
  for (const span of spans) for (const one of [span, ...span.bookkeeping]) byId.set(one.id, one);
  const changes = new Changes(spans);
  const successes = new Successes(spans);
  for (const { place, call } of failures) {
    const failed = byId.get(place.stepId)!;
    chosen.addStep(failed);
    if (call !== undefined) chosen.addStep(call);
    for (const change of changes.before(failed)) chosen.addStep(change);
    for (const success of successes.behind(failed)) chosen.addEnds(success);
    yield;
  }
}

function chooseStep(chosen: ChosenSpans, spans: readonly Span[], id: string): void {
  const step = spans
    .flatMap((span) => [span, ...span.bookkeeping])
    .find((span) => span.start.id === id || span.end?.id === id);
  if (step === undefined) throw noSuchPart(spans, "names no step");
  if (step.kind === "turn") return chosen.addTurn(step);
  if (step.kind === "agent") return chosen.addAll(step);
  chosen.addStep(step);
  const call = modelCallOf(spans, step);
  if (call !== undefined) chosen.addRead(call);
  // Without their contexts: after a compaction the call did not receive these messages.
  for (const change of new Changes(spans).before(step)) chosen.addEnds(change);
  for (const success of new Successes(spans).behind(step)) chosen.addEnds(success);
}

function turnNumbered(spans: readonly Span[], number: number): Span {
  const turn = turnsOf(spans)[number - 1];
  if (turn === undefined) throw noSuchPart(spans, "names a turn that there is not");
  return turn;
}

function turnsOf(spans: readonly Span[]): readonly Span[] {
  return spans.filter(({ kind, agentId }) => kind === "turn" && agentId === "");
}

function agentNamed(spans: readonly Span[], id: string): Span {
  const agent = agentsOf(spans).find(({ agentId }) => agentId === id);
  if (agent === undefined) throw noSuchPart(spans, "names an agent that there is not");
  return agent;
}

function agentsOf(spans: readonly Span[]): readonly Span[] {
  return spans.filter(
    ({ kind, agentId, start }) => kind === "agent" && agentId !== "" && start.phase === "start",
  );
}

const MOST_NAMED = 20;

function noSuchPart(spans: readonly Span[], problem: string): InvalidRequestError {
  const turns = turnsOf(spans).length;
  const ids = [...new Set(agentsOf(spans).map(({ agentId }) => agentId))];
  const named = ids.slice(0, MOST_NAMED).map((id) => visibleText(id).slice(0, 100));
  const more = ids.length > named.length ? ` and ${ids.length - named.length} more` : "";
  const there = [
    turns === 0 ? "no turns" : turns === 1 ? "turn:1" : `turn:1 to turn:${turns}`,
    ids.length === 0 ? "no sub-agents" : `agent:ID of ${named.join(", ")}${more}`,
  ];
  return new InvalidRequestError("only", `${problem}: the session has ${there.join(", and ")}.`);
}
