import { fileUseOf } from "../dialects/file-tools.js";
import { causeOf } from "../facts/cause-of.js";
import { isPause } from "../lists/is-pause.js";
import { addTo, firstWhere } from "../lists/lists.js";
import type { EventFacts } from "../spans/event-facts.js";
import { durationMs, isOwnFailure, type Span, spanError, walkSpans } from "../spans/span.js";
import { type EventDetails, NO_DETAILS } from "../steps/event-details.js";
import type { ErrorOutcomes, ErrorPlace, FailedKind } from "./session-diagnosis.js";

export interface Failure {
  readonly kind: FailedKind;
  readonly name: string;
  readonly text: string;
  readonly cause: string;
  readonly place: ErrorPlace;
  readonly outcome: keyof ErrorOutcomes;
  readonly ms: number;
  /** The failed model call, or the one that requested the failed call. */
  readonly call: Span | undefined;
  readonly share: number;
  /** Equal for the tool calls of one answer. */
  readonly batch: string;
  readonly endIndex: number;
  readonly sameAs: string | undefined;
}

export type DetailsOf = (event: EventFacts) => EventDetails;

/** The turn of a step, or the agent without turns. `undefined` stands for the complete agent. */
type Frame = Span | undefined;

export class TraceOfFailures {
  readonly tools: readonly Span[];
  readonly #detailsOf: DetailsOf;
  readonly #failed: readonly { readonly span: Span; readonly isBookkeeping: boolean }[];
  /** The recorded model call, otherwise the last one of the frame. */
  readonly #requestedBy = new Map<Span, Span>();
  readonly #lastCall = new Map<string, Span>();
  readonly #requests = new Map<string, number>();
  readonly #successes = new Map<string, number[]>();
  readonly #lastToolSuccess = new Map<string, number>();
  readonly #lastAnswer = new Map<string, number>();
  readonly #turns = new Map<Span, number>();
  readonly #causes = new Map<string, string>();

  /**
   * @param roots with totals (`addTotals`)
   * @param detailsOf identifies equal calls and refusals. Default is `NO_DETAILS`
   */
  constructor(roots: readonly Span[], detailsOf: DetailsOf = () => NO_DETAILS) {
    this.#detailsOf = detailsOf;
    const failed: { span: Span; isBookkeeping: boolean }[] = [];
    const steps: Span[] = [];
    const turnsOf = new Map<string, number>();
    walkSpans(roots, (span) => {
      if (isOwnFailure(span)) failed.push({ span, isBookkeeping: false });
      for (const record of span.bookkeeping)
        if (spanError(record) !== undefined) failed.push({ span: record, isBookkeeping: true });
      if (isStep(span)) steps.push(span);
      if (span.kind !== "turn") return;
      const turn = (turnsOf.get(span.agentId) ?? 0) + 1;
      turnsOf.set(span.agentId, turn);
      this.#turns.set(span, turn);
    });
    steps.sort((a, b) => a.start.index - b.start.index);
    for (const step of steps) this.#noteStep(step);
    this.#failed = failed.sort((a, b) => a.span.start.index - b.span.start.index);
    this.tools = steps.filter(({ kind }) => kind === "tool");
  }

  *failures(): Generator<void, readonly Failure[]> {
    const failures: Failure[] = [];
    for (const { span, isBookkeeping } of this.#failed) {
      failures.push(this.#failure(span, isBookkeeping));
      if (isPause(failures.length)) yield;
    }
    return failures;
  }

  placeOf(span: Span): ErrorPlace {
    const turn = turnOf(span);
    const { agentId, id: stepId, start } = span;
    const place = { stepId, agentId, at: start.at };
    return turn === undefined ? place : { ...place, turn: this.#turns.get(turn) ?? 1, turnStepId: turn.id };
  }

  /** Equal for calls of one tool with the same input; `undefined` without a recorded input. */
  inputOf({ start, end, name }: Span): string | undefined {
    const hash = this.#detailsOf(start).inputHash ?? (end && this.#detailsOf(end).inputHash);
    return hash === undefined ? undefined : `${hash} ${name}`;
  }

  resultOf({ end }: Span): number | undefined {
    return end && this.#detailsOf(end).outputHash;
  }

  #noteStep(span: Span): void {
    for (const tool of span.calls ?? []) this.#requestedBy.set(tool, span);
    const frame = keyOfFrame(span);
    const { index } = span.start;
    if (span.kind === "tool") {
      const call = this.#requestedBy.get(span) ?? this.#lastCall.get(frame);
      if (call !== undefined) this.#requestedBy.set(span, call);
      const batch = batchOf(frame, call);
      this.#requests.set(batch, (this.#requests.get(batch) ?? 0) + 1);
    } else this.#lastCall.set(frame, span);
    if (spanError(span) !== undefined || span.end === undefined) return;
    if (span.kind === "llm") {
      this.#lastAnswer.set(frame, index);
      return;
    }
    this.#lastToolSuccess.set(frame, index);
    for (const target of targetsOf(span)) addTo(this.#successes, target, index);
  }

  #failure(span: Span, isBookkeeping: boolean): Failure {
    const kind = isBookkeeping ? "bookkeeping" : kindOf(span);
    const call = kind === "tool" ? this.#requestedBy.get(span) : kind === "model" ? span : undefined;
    const waitMs = span.kind === "error" ? this.#detailsOf(span.start).retryInMs : 0;
    const batch = batchOf(keyOfFrame(span), call);
    const text = spanError(span) ?? "";
    return {
      kind,
      name: isBookkeeping ? span.start.type : nameOf(span),
      text,
      cause: this.#causeOf(span, text),
      place: this.placeOf(span),
      outcome: this.#outcomeOf(span),
      // A turn or an agent did not waste its time before the failure.
      ms: TIMED.has(span.kind) ? durationMs(span) : waitMs,
      call,
      share: kind === "tool" ? 1 / (this.#requests.get(batch) ?? 1) : 1,
      batch,
      endIndex: endIndexOf(span),
      sameAs: kind === "tool" ? this.inputOf(span) : undefined,
    };
  }

  /** Most errors of a long session repeat a text, and folding is expensive. */
  #causeOf({ start, end }: Span, text: string): string {
    const stated = (end && this.#detailsOf(end).cause) ?? this.#detailsOf(start).cause;
    if (stated !== undefined) return stated;
    const cause = this.#causes.get(text) ?? causeOf(text);
    this.#causes.set(text, cause);
    return cause;
  }

  #outcomeOf(span: Span): keyof ErrorOutcomes {
    const endIndex = endIndexOf(span);
    const frame = frameOf(span);
    const key = keyOfFrame(span);
    const isAfter = (at: number | undefined) => at !== undefined && at > endIndex;
    if (span.kind === "llm" || span.kind === "error") {
      if (isAfter(this.#lastAnswer.get(key))) return "retried";
    } else if (this.#isDoneLater(span, endIndex)) return "retried";
    if (frame === span) return "endedTurn";
    const hasAnswer = isAfter(this.#lastAnswer.get(key));
    const hasWorked = isAfter(this.#lastToolSuccess.get(key));
    if (frame !== undefined && spanError(frame) !== undefined)
      return hasAnswer || hasWorked ? "notRecovered" : "endedTurn";
    // An answer after a failed tool call may only report it.
    if (hasWorked || (hasAnswer && span.kind !== "tool")) return "continued";
    return frame?.state === "done" ? "endedTurn" : "unknown";
  }

  #isDoneLater(span: Span, endIndex: number): boolean {
    if (span.kind !== "tool") return false;
    return targetsOf(span).some((target) => {
      const at = this.#successes.get(target) ?? [];
      return firstWhere(0, at.length, (i) => at[i]! > endIndex) < at.length;
    });
  }
}

const TIMED: ReadonlySet<Span["kind"]> = new Set(["tool", "llm", "job", "skill", "compaction"]);

function isStep({ kind, start }: Span): boolean {
  return (kind === "tool" || kind === "llm") && start.phase !== "point";
}

function endIndexOf({ start, end }: Span): number {
  return Math.max(start.index, end?.index ?? 0);
}

function kindOf({ kind }: Span): FailedKind {
  if (kind === "tool" || kind === "agent" || kind === "turn") return kind;
  return kind === "llm" ? "model" : "other";
}

function nameOf(span: Span): string {
  return span.kind === "llm" ? (span.end?.name ?? span.name) : span.kind === "turn" ? "" : span.name;
}

export function targetsOf({ agentId, name, start: { subject } }: Span): readonly string[] {
  const use = fileUseOf(name);
  const of = use === "writes" || use === "edits" ? "writes" : name;
  const targets = subject.paths.map((path) => `${agentId}\n${of}\n${path}`);
  return subject.text === "" ? targets : [...targets, `${agentId}\n${name}\n\n${subject.text}`];
}

function turnOf(span: Span): Span | undefined {
  for (let at: Span | undefined = span; at !== undefined && at.agentId === span.agentId; at = at.parent)
    if (at.kind === "turn") return at;
  return undefined;
}

function frameOf(span: Span): Frame {
  const turn = turnOf(span);
  if (turn !== undefined || span.agentId === "") return turn;
  for (let at: Span | undefined = span; at !== undefined && at.agentId === span.agentId; at = at.parent)
    if (at.kind === "agent") return at;
  return undefined;
}

function keyOfFrame(span: Span): string {
  return `${frameOf(span)?.id ?? ""} ${span.agentId}`;
}

function batchOf(frame: string, call: Span | undefined): string {
  return `${frame} ${call?.start.index ?? -1}`;
}
