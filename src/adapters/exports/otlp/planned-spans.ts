import type { EventFacts } from "../../../domain/spans/event-facts.js";
import { type Span, spanError } from "../../../domain/spans/span.js";

export type PlannedKind = "turn" | "agent" | "model" | "tool" | "compaction" | "step";

export interface PlannedSpan {
  readonly kind: PlannedKind;
  /** `undefined` for a turn that only holds steps outside of turns. */
  readonly span: Span | undefined;
  readonly parent: PlannedSpan | undefined;
  /** Outermost span of its trace; `undefined` for that span. */
  readonly outermost: PlannedSpan | undefined;
  readonly depth: number;
  /** Only for a sub-agent: its turn and job, which it replaces. */
  turn: Span | undefined;
  job: Span | undefined;
  readonly points: EventFacts[];
  readonly startAt: number;
  endAt: number;
}

/** Parents before children. */
export function planSpans(roots: readonly Span[]): readonly PlannedSpan[] {
  return new SpanPlan().of(roots);
}

interface Visit {
  readonly span: Span;
  readonly parent: PlannedSpan | undefined;
}

class SpanPlan {
  readonly #planned: PlannedSpan[] = [];
  /** Events before the first span. */
  #early: EventFacts[] = [];
  #last: PlannedSpan | undefined;
  readonly #agents = new Map<string, PlannedSpan>();
  /** By agent id. */
  readonly #jobs = new Map<string, Span>();

  of(roots: readonly Span[]): readonly PlannedSpan[] {
    const stack: Visit[] = agentsBehindTurn(roots)
      .map((span) => ({ span, parent: undefined }))
      .reverse();
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const parent = this.#visit(next.span, next.parent);
      const { children } = next.span;
      for (let i = children.length - 1; i >= 0; i--) stack.push({ span: children[i]!, parent });
    }
    for (const [agentId, job] of this.#jobs) {
      const agent = this.#agents.get(agentId);
      if (agent !== undefined) agent.job = job;
    }
    if (this.#planned.length === 0) this.#add("turn", undefined, undefined, this.#early[0]?.at ?? 0);
    return this.#planned;
  }

  /** @returns the parent of its children */
  #visit(span: Span, parent: PlannedSpan | undefined): PlannedSpan | undefined {
    for (const { start } of span.bookkeeping) if (start.error !== undefined) this.#point(start, parent);
    const kind = kindOf(span, parent);
    if (kind === "point") {
      this.#point(span.start, parent);
      if (span.end !== undefined && span.end !== span.start) this.#point(span.end, parent);
      return parent;
    }
    if (kind === "part") {
      if (parent?.kind === "agent" && span.kind === "turn") parent.turn ??= span;
      if (span.kind === "job") this.#jobs.set(span.agentId, span);
      return parent;
    }
    const isOutside = parent === undefined && kind !== "turn" && kind !== "step";
    return this.#add(kind, span, isOutside ? this.#turnBefore(span) : parent, span.start.at);
  }

  /** For a step outside of all turns. Before the first turn it creates a turn without a prompt. */
  #turnBefore(span: Span): PlannedSpan {
    const turn = this.#last ?? this.#add("turn", undefined, undefined, span.start.at);
    if (turn.span === undefined) turn.endAt = Math.max(turn.endAt, span.endAt);
    return turn;
  }

  #add(
    kind: PlannedKind,
    span: Span | undefined,
    parent: PlannedSpan | undefined,
    startAt: number,
  ): PlannedSpan {
    const endAt = Math.max(startAt, span?.endAt ?? startAt);
    const added: PlannedSpan = {
      kind,
      span,
      parent,
      outermost: parent?.outermost ?? parent,
      depth: (parent?.depth ?? -1) + 1,
      turn: undefined,
      job: undefined,
      points: [],
      startAt,
      endAt,
    };
    if (kind === "agent" && span !== undefined) this.#agents.set(span.agentId, added);
    this.#planned.push(added);
    if (kind === "turn") {
      added.points.push(...this.#early);
      this.#early = [];
      this.#last = added;
    }
    return added;
  }

  #point(facts: EventFacts, parent: PlannedSpan | undefined): void {
    // The agents' spans already report orchestration events.
    if (facts.source === "orchestration") return;
    const holder = parent ?? this.#last;
    if (holder === undefined) this.#early.push(facts);
    else holder.points.push(facts);
  }
}

/** Sub-agents that began before the first turn belong to it. */
function agentsBehindTurn(roots: readonly Span[]): readonly Span[] {
  const first = roots.findIndex(({ kind }) => kind === "turn");
  if (first <= 0) return roots;
  const before = roots.slice(0, first);
  const isAgent = ({ kind }: Span) => kind === "agent";
  return [
    ...before.filter((span) => !isAgent(span)),
    roots[first]!,
    ...before.filter(isAgent),
    ...roots.slice(first + 1),
  ];
}

/** `part`: the surrounding span includes it. */
function kindOf(span: Span, parent: PlannedSpan | undefined): PlannedKind | "point" | "part" {
  const { kind, start } = span;
  const begins = start.phase === "start";
  switch (kind) {
    case "run":
      // Turns represent a run of several turns; agents represent a run of an orchestration.
      return begins &&
        start.source !== "orchestration" &&
        parent === undefined &&
        !span.children.some((child) => child.kind === "turn")
        ? "turn"
        : "part";
    case "turn": {
      if (!begins) return "point";
      return isInAgent(parent) ? "part" : "turn";
    }
    case "agent":
      return begins ? "agent" : "part";
    case "job":
      return "part";
    case "llm":
      return begins ? "model" : "point";
    case "tool":
      return begins ? "tool" : "point";
    case "compaction":
      return begins ? "compaction" : "point";
    case "span":
      return "step";
    default:
      return "point";
  }
}

function isInAgent(parent: PlannedSpan | undefined): boolean {
  for (let at = parent; at !== undefined; at = at.parent)
    if (at.kind === "turn" || at.kind === "agent") return true;
  return false;
}

/** A turn with a later turn after it did end. */
export function isUnfinished({ kind, span, turn }: PlannedSpan): boolean {
  const state = (kind === "agent" && turn?.state === "done" ? turn : span)?.state;
  return state === "open" || (state === "cut" && kind !== "turn");
}

export function failureOf({ span, turn, job }: PlannedSpan): string | undefined {
  return (span && spanError(span)) ?? (job && spanError(job)) ?? (turn && spanError(turn));
}
