import { type JsonObject, objectField, textField } from "../json/json.js";
import { classifyEvent } from "../trace/event-kinds.js";
import { instantOf } from "../trace/instant.js";
import { type ModelUsage, UsageByModel } from "../usage/model-usage.js";
import { type CallsSoFar, callIdIn, MOST_BEGUN, UsedCalls, usedCall } from "./used-calls.js";

/** The calls of a trace that a log does not count, as far as it was followed: plain data, to go on from. */
export interface UncountedSoFar extends CallsSoFar {
  /** The traces in which a turn began and since then no call: their writer may record no more than the ends of calls. */
  readonly endsOnly: ReadonlySet<string>;
}

/**
 * Finds the model calls that a session's log does not count, among the envelopes of its trace in stored order: those that began behind
 * the instant that the log counts to. Recorders of this version leave none; older ones, and other writers, do while a turn goes on.
 */
export class UncountedCalls {
  readonly #countedUntil: number | undefined;
  readonly #calls: UsedCalls;
  readonly #endsOnly: Set<string>;

  /** @param countedUntil of the log */
  constructor(countedUntil: number | undefined, before?: UncountedSoFar) {
    this.#countedUntil = countedUntil;
    this.#calls = new UsedCalls(before);
    this.#endsOnly = new Set(before?.endsOnly);
  }

  get soFar(): UncountedSoFar {
    return { ...this.#calls.soFar, endsOnly: new Set(this.#endsOnly) };
  }

  follow(envelope: JsonObject): void {
    const event = objectField(envelope, "event");
    const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
    const at = instantOf(envelope.timestamp);
    if (isCounted(at, this.#countedUntil)) return;
    const traceId = textField(envelope, "traceId") ?? "";
    if (phase === "start" && (kind === "turn" || kind === "run")) this.#expectEnds(traceId);
    if (kind !== "llm" || (phase === "end" && this.#beganBefore(event, traceId))) return;
    if (phase === "start") this.#endsOnly.delete(traceId);
    this.#calls.follow(event, phase, traceId, at ?? 0);
  }

  #expectEnds(traceId: string): void {
    this.#endsOnly.add(traceId);
    if (this.#endsOnly.size > MOST_BEGUN) this.#endsOnly.delete(this.#endsOnly.values().next().value!);
  }

  /** Whether a call that ends is one of a turn that is recorded. Of one without an id nobody knows when it began. */
  #beganBefore(event: JsonObject, traceId: string): boolean {
    if (this.#countedUntil === undefined || callIdIn(event) === undefined) return false;
    return !this.#calls.hasBegun(event, traceId) && !this.#endsOnly.has(traceId);
  }
}

/**
 * The same after one more envelope, where envelopes and records of the log come in one order: whatever ended before a record that counts
 * calls is counted.
 */
export function followUncounted(
  uncounted: readonly ModelUsage[],
  envelope: JsonObject,
  countedUntil: number | undefined,
): readonly ModelUsage[] {
  const event = objectField(envelope, "event");
  const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
  const at = instantOf(envelope.timestamp);
  if (kind !== "llm" || phase !== "end" || isCounted(at, countedUntil)) return uncounted;
  const sum = new UsageByModel(uncounted);
  sum.add(usedCall(event, at ?? 0));
  return sum.groups;
}

function isCounted(at: number | undefined, countedUntil: number | undefined): boolean {
  return countedUntil !== undefined && (at === undefined || at <= countedUntil);
}
