import { TraceOfFailures, targetsOf } from "../../domain/analysis/failures.js";
import { fileUseOf } from "../../domain/analysis/tool-names.js";
import { addTo, firstWhere } from "../../domain/lists/lists.js";
import type { EventFacts } from "../../domain/spans/event-facts.js";
import { isModelCall, modelCallOf } from "../../domain/spans/model-call-of.js";
import { type Span, walkSpans } from "../../domain/spans/span.js";
import { spanTree } from "../../domain/spans/span-tree.js";
import { visibleText } from "../../domain/text/visible-text.js";
import { InvalidRequestError } from "../errors.js";

/** A part of a session, as it is asked for. */
export type NamedPart =
  | { readonly kind: "errors" }
  | { readonly kind: "turn"; readonly number: number }
  | { readonly kind: "agent"; readonly id: string }
  | { readonly kind: "step"; readonly id: string };

/** Which messages of a conversation go with a part of the trace. */
export interface ConversationPart {
  /** All of them. */
  isWhole: boolean;
  /** The messages of these turns. */
  readonly turns: Set<Span>;
  /** What asked for these turns. */
  readonly prompts: Set<Span>;
  /** The answers of these model calls. */
  readonly calls: Set<Span>;
  /** What these model calls were given. */
  readonly seenBy: Set<Span>;
  /** The calls and results of tools, by their vendor's ids. */
  readonly toolCallIds: Set<string>;
}

/** What a part of a session holds of its trace, and by what its messages are found. */
export interface TracePart {
  /** The places of the events in the trace. */
  readonly events: ReadonlySet<number>;
  /** By agent; `""` is the main one. */
  readonly conversations: ReadonlyMap<string, ConversationPart>;
  /** The turns of the main agent that it has some of, by their numbers. */
  readonly turns: readonly number[];
  /** All spans of the trace. */
  readonly spans: readonly Span[];
}

/**
 * The events of a part, which stands on its own: what a step lies in begins and ends in it, whoever asked for it.
 *
 * @param events of the whole trace, in its order
 * @throws InvalidRequestError where there is no such part
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
  if (call !== undefined) chosen.addSeen(call);
  // Their messages would be none that the call saw, where these were compacted away.
  for (const change of new Changes(spans).before(step)) chosen.addEnds(change);
  for (const success of new Successes(spans).behind(step)) chosen.addEnds(success);
}

function turnNumbered(spans: readonly Span[], number: number): Span {
  const turn = turnsOf(spans)[number - 1];
  if (turn === undefined) throw noSuchPart(spans, "names a turn that there is not");
  return turn;
}

/** Those of the main agent, in the order in which the page numbers them, from 1 on. */
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

/** How many agents an error names. */
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

/** Steps of a trace, with what they lie in. */
class ChosenSpans {
  readonly events = new Set<number>();
  readonly conversations = new Map<string, ConversationPart>();
  /** The model call that asked for a tool call. */
  readonly #askedBy = new Map<Span, Span>();
  /** What is in the part by itself, or because something lies in it. */
  readonly #added = new Set<Span>();

  constructor(spans: readonly Span[]) {
    for (const call of spans) for (const tool of call.calls ?? []) this.#askedBy.set(tool, call);
  }

  /** A step, what it lies in, and the model calls that asked for these. Without recursion, because the depth is that of foreign input. */
  addStep(step: Span): void {
    const open = [step];
    for (let span = open.pop(); span !== undefined; span = open.pop()) {
      for (let at: Span | undefined = span; at !== undefined && !this.#added.has(at); at = at.parent) {
        this.#added.add(at);
        this.#addOne(at);
        const call = this.#askedBy.get(at);
        if (call !== undefined) open.push(call);
      }
    }
  }

  /** A model call, and what it was given. */
  addSeen(call: Span): void {
    this.addStep(call);
    this.#conversationOf(call).seenBy.add(call);
  }

  addTurn(turn: Span): void {
    this.#conversationOf(turn).turns.add(turn);
    this.addAll(turn);
  }

  /** A span with all that is in it: the agents in it have their whole conversations. */
  addAll(root: Span): void {
    walkSpans([root], (span) => {
      for (const record of span.bookkeeping) this.addEnds(record);
      if (span.kind === "agent" && span.agentId !== "") this.#conversationOf(span).isWhole = true;
      this.addStep(span);
    });
  }

  #addOne(span: Span): void {
    this.addEnds(span);
    const { kind, children, start } = span;
    if (kind === "turn") this.#conversationOf(span).prompts.add(span);
    if (kind === "tool" && start.key !== undefined) this.#conversationOf(span).toolCallIds.add(start.key);
    if (!isModelCall(span)) return;
    this.#conversationOf(span).calls.add(span);
    for (const said of children) if (said.kind === "text") this.addEnds(said);
  }

  /** Its events alone. An agent that nothing spawned has none: its span is made of the first one of its own. */
  addEnds({ id, start, end }: Span): void {
    if (id === start.id) this.events.add(start.index);
    if (end !== undefined) this.events.add(end.index);
  }

  #conversationOf({ agentId }: Span): ConversationPart {
    const known = this.conversations.get(agentId) ?? {
      isWhole: false,
      turns: new Set(),
      prompts: new Set(),
      calls: new Set(),
      seenBy: new Set(),
      toolCallIds: new Set(),
    };
    this.conversations.set(agentId, known);
    return known;
  }
}

/** How many changes are looked at before a step: the last ones. */
const MOST_CHANGES = 20;

/** The calls that changed files. */
class Changes {
  /** In the order of the trace, by the path that they changed, and by the turn and agent that they lie in. */
  readonly #byPath = new Map<string, Span[]>();
  readonly #byFrame = new Map<string, Span[]>();

  constructor(spans: readonly Span[]) {
    const changes = spans.filter(changesFiles).sort((a, b) => a.start.index - b.start.index);
    for (const change of changes) {
      for (const path of change.start.subject.paths) addTo(this.#byPath, path, change);
      addTo(this.#byFrame, frameOf(change), change);
    }
  }

  /** What was changed before a step of the files that it is about; of one that names no file, what its turn had changed by then. */
  before(span: Span): readonly Span[] {
    const { paths } = span.start.subject;
    const found =
      paths.length === 0
        ? (this.#byFrame.get(frameOf(span)) ?? [])
        : paths.flatMap((path) => this.#byPath.get(path) ?? []);
    return found.filter(({ start }) => start.index < span.start.index).slice(-MOST_CHANGES);
  }
}

/** Steps that succeeded: what came behind a failure says how bad it was. */
class Successes {
  /** In the order of the trace: all, and model calls, by the turn and agent that they lie in; calls of tools by what they are about. */
  readonly #by = new Map<string, Span[]>();

  constructor(spans: readonly Span[]) {
    const steps = spans.filter((span) => (span.kind === "tool" || isModelCall(span)) && hasSucceeded(span));
    for (const step of steps.sort((a, b) => a.start.index - b.start.index))
      for (const key of keysOf(step)) addTo(this.#by, key, step);
  }

  /** The first ones behind a step: in its turn, of a model, and of the same file or command. */
  behind(span: Span): readonly Span[] {
    const endIndex = Math.max(span.start.index, span.end?.index ?? 0);
    return keysOf(span).flatMap((key) => {
      const steps = this.#by.get(key) ?? [];
      return steps[firstWhere(0, steps.length, (i) => steps[i]!.start.index > endIndex)] ?? [];
    });
  }
}

function keysOf(span: Span): readonly string[] {
  const frame = frameOf(span);
  const keys = [`all ${frame}`, ...(span.kind === "tool" ? [] : [`model ${frame}`])];
  return span.kind === "tool" ? [...keys, ...targetsOf(span).map((target) => `about ${target}`)] : keys;
}

function hasSucceeded({ end, start }: Span): boolean {
  return end !== undefined && end.error === undefined && start.error === undefined;
}

function changesFiles({ kind, name, start }: Span): boolean {
  if (kind !== "tool" || start.subject.paths.length === 0) return false;
  const use = fileUseOf(name);
  return use === "writes" || use === "edits" || /patch/i.test(name);
}

function frameOf(span: Span): string {
  for (let at: Span | undefined = span; at !== undefined && at.agentId === span.agentId; at = at.parent)
    if (at.kind === "turn") return at.id;
  return `agent ${span.agentId}`;
}
