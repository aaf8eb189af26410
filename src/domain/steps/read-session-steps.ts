import { asksPerson } from "../dialects/question-tools.js";
import { isPause } from "../lists/is-pause.js";
import { buildSpansInSteps } from "../spans/build-spans.js";
import type { EventFacts } from "../spans/event-facts.js";
import { nestAgents } from "../spans/nest-agents.js";
import { type Span, spanError, spanUsage, walkSpans } from "../spans/span.js";
import { subjectLine } from "../text/subject-line.js";
import type { EventDetails } from "./event-details.js";
import type {
  Agent,
  Compaction,
  ErrorEvent,
  ModelCall,
  SessionSteps,
  ToolCall,
  Turn,
  Wait,
} from "./session-steps.js";

/**
 * @param events in the order of the trace; `index` is the position
 * @param details of each event
 */
export function* readSessionSteps(
  events: readonly EventFacts[],
  details: readonly EventDetails[],
): Generator<void, SessionSteps> {
  const subAgents = new Set<string>();
  const lastOf = new Map<string, number>();
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  // Events around the first turn are not a wait for a person before it.
  const hasTurns = events.some(({ kind }) => kind === "turn");
  for (const { at, startedAt = at, source, kind, phase, agentId } of events) {
    from = Math.min(from, hasTurns ? at : startedAt);
    to = Math.max(to, at);
    if (agentId && source !== "orchestration") lastOf.set(agentId, Math.max(lastOf.get(agentId) ?? at, at));
    if (source === "orchestration" && kind === "agent" && phase === "start" && agentId)
      subAgents.add(agentId);
  }
  yield;
  const built = yield* buildSpansInSteps(events, subAgents);
  yield;
  const spans: Span[] = [];
  walkSpans(nestAgents(built), (span) => spans.push(span));
  yield;
  const reader = new StepReader(
    events,
    details,
    events.length === 0 ? 0 : from,
    events.length === 0 ? 0 : to,
    lastOf,
  );
  for (const [i, span] of spans.entries()) {
    reader.read(span);
    if (isPause(i)) yield;
  }
  return reader.steps();
}

const NO_AGENTS: readonly string[] = [];

class StepReader {
  readonly #details: readonly EventDetails[];
  readonly #from: number;
  readonly #to: number;
  readonly #lastOf: ReadonlyMap<string, number>;
  readonly #directories = new Map<string, string>();
  readonly #modelCallOf = new Map<Span, string>();
  readonly #spawned = new Map<Span, string[]>();
  readonly #turns: Turn[] = [];
  readonly #calls: ModelCall[] = [];
  readonly #tools: { readonly span: Span; readonly step: ToolCall }[] = [];
  readonly #agents: Agent[] = [];
  readonly #compactions: Compaction[] = [];
  readonly #waits: Wait[] = [];
  readonly #errors: ErrorEvent[] = [];

  constructor(
    events: readonly EventFacts[],
    details: readonly EventDetails[],
    from: number,
    to: number,
    lastOf: ReadonlyMap<string, number>,
  ) {
    this.#lastOf = lastOf;
    this.#details = details;
    this.#from = from;
    this.#to = to;
    for (const { traceId, directory } of events) {
      if (directory !== undefined && !this.#directories.has(traceId))
        this.#directories.set(traceId, directory);
    }
  }

  read(span: Span): void {
    const { kind, start, agentId } = span;
    if (kind === "input") this.#waits.push({ stepId: span.id, agentId, at: start.at });
    if (kind === "error") this.#errors.push(this.#error(span));
    if (kind === "compaction") this.#compactions.push(this.#compaction(span));
    if (kind === "agent" && start.phase === "start") this.#addAgent(span);
    if (kind === "job") noteSpawn(this.#spawned, span);
    if (start.phase === "point") return;
    if (kind === "turn") this.#turns.push(this.#turn(span));
    else if (kind === "llm") this.#calls.push(this.#call(span));
    else if (kind === "tool") this.#tools.push({ span, step: this.#tool(span) });
  }

  #turn(span: Span): Turn {
    const { subject, isUnasked, phase } = span.start;
    return { ...this.#step(span), isPrompt: !isUnasked && phase !== "end", prompt: subject.text };
  }

  steps(): SessionSteps {
    const tools = this.#tools.map(({ span, step }) => {
      const spawned = this.#spawned.get(span);
      return spawned === undefined ? step : { ...step, spawned };
    });
    return {
      from: this.#from,
      to: this.#to,
      turns: this.#turns,
      calls: this.#calls,
      tools,
      agents: this.#agents,
      compactions: this.#compactions,
      waits: this.#waits,
      errors: this.#errors,
    };
  }

  #step(span: Span) {
    // An open step of a sub-agent ended with the sub-agent, even if the session continued.
    const last = span.kind === "agent" ? undefined : this.#lastOf.get(span.agentId);
    const endAt = span.state === "open" ? Math.max(span.endAt, last ?? this.#to) : span.endAt;
    return { stepId: span.id, agentId: span.agentId, at: span.start.at, endAt, error: spanError(span) };
  }

  #call(span: Span): ModelCall {
    const { start, end } = span;
    for (const tool of span.calls ?? []) this.#modelCallOf.set(tool, span.id);
    const written = (steps: readonly Span[]) =>
      steps.reduce((size, { start }) => size + start.writtenSize, 0);
    // Without a spread: it is slow for objects of many members, and there is one per call.
    const { stepId, agentId, at, endAt, error } = this.#step(span);
    return {
      stepId,
      agentId,
      at,
      endAt,
      error,
      turnId: turnOf(span),
      model: end?.name ?? start.name,
      provider: end?.provider ?? start.provider,
      usage: spanUsage(span),
      recordedUsd: end?.recordedUsd ?? start.recordedUsd,
      messageId: end?.messageId ?? start.messageId ?? start.key,
      inputHash: this.#detailsOf(start).inputHash,
      endId: end?.id,
      answerSize: written(span.children) + written(span.calls ?? []),
    };
  }

  #tool(span: Span): ToolCall {
    const { start, end } = span;
    const [begun, ended] = [this.#detailsOf(start), end && this.#detailsOf(end)];
    const directory = this.#directories.get(start.traceId) ?? "";
    const { stepId, agentId, at, endAt, error } = this.#step(span);
    return {
      stepId,
      agentId,
      at,
      endAt,
      error,
      turnId: turnOf(span),
      modelCallId: this.#modelCallOf.get(span),
      toolCallId: start.key ?? "",
      name: span.name,
      subject: subjectLine(start.subject, directory).text,
      paths: start.subject.paths,
      inputHash: begun.inputHash ?? ended?.inputHash,
      outputHash: ended?.outputHash,
      outputSize: end?.outputSize ?? 0,
      isRefused: ended?.isRefused ?? false,
      asksPerson: asksPerson(span.name),
      spawned: NO_AGENTS,
      isEnded: span.end !== undefined,
    };
  }

  #addAgent(span: Span): void {
    const name = span.name || span.agentId;
    const parentAgentId = span.start.parentAgentId ?? "";
    this.#agents.push({ ...this.#step(span), name, parentAgentId, isEnded: span.end !== undefined });
    noteSpawn(this.#spawned, span);
  }

  #compaction(span: Span): Compaction {
    const { start, end } = span;
    const tokensBefore = end?.tokensBefore ?? start.tokensBefore;
    return { ...this.#step(span), tokensBefore, tokensAfter: end?.tokensAfter ?? start.tokensAfter };
  }

  #error(span: Span): ErrorEvent {
    const { stepId, agentId, at, error = "error" } = this.#step(span);
    return { stepId, agentId, at, message: error, waitMs: this.#detailsOf(span.start).retryInMs };
  }

  #detailsOf({ index }: EventFacts): EventDetails {
    return this.#details[index]!;
  }
}

function noteSpawn(spawned: Map<Span, string[]>, { parent, agentId }: Span): void {
  if (parent?.kind !== "tool") return;
  const existing = spawned.get(parent);
  if (existing === undefined) spawned.set(parent, [agentId]);
  else if (!existing.includes(agentId)) existing.push(agentId);
}

function turnOf(span: Span): string | undefined {
  for (let at = span.parent; at !== undefined && at.agentId === span.agentId; at = at.parent) {
    if (at.kind === "turn") return at.id;
  }
  return undefined;
}
