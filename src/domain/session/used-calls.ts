import { classifyEvent, type EventPhase } from "../dialects/event-kinds.js";
import { readUsage, recordedCostOf } from "../dialects/recorded-usage.js";
import { type JsonObject, objectField, textField } from "../json/json.js";
import { instantOf } from "../trace/instant.js";
import { NO_USAGE } from "../usage/token-usage.js";
import { type ModelUsage, UsageByModel, type UsedCall } from "./model-usage.js";

interface BegunCall {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly at: number;
}

/** Plain data, to continue from. */
interface CallsSoFar {
  /** Ended calls. */
  readonly used: readonly ModelUsage[];
  /** By trace and id. */
  readonly begun: ReadonlyMap<string, BegunCall>;
}

/** Bounds the memory: only the end of an older call counts. */
const MOST_BEGUN = 1_000;

function usedCall(event: JsonObject, at: number, begun?: BegunCall): UsedCall {
  return {
    model: modelIn(event) ?? begun?.model,
    provider: textField(event, "provider") ?? begun?.provider,
    at: begun?.at ?? at,
    usage: readUsage(event) ?? NO_USAGE,
    recordedUsd: recordedCostOf(event),
  };
}

function modelIn(event: JsonObject): string | undefined {
  return textField(event, "model") ?? textField(event, "modelId");
}

const IDS = ["callId", "llmCallId", "requestId", "messageId"];

function callIdIn(event: JsonObject): string | undefined {
  for (const name of IDS) {
    const id = textField(event, name);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Adds up the use of model calls from their events. The id links an end to a start, because some calls name their model only there. */
export class UsedCalls {
  readonly #begun: Map<string, BegunCall>;
  #used: UsageByModel;

  constructor(before?: CallsSoFar) {
    this.#begun = new Map(before?.begun);
    this.#used = new UsageByModel(before?.used);
  }

  get soFar(): CallsSoFar {
    return { used: this.#used.groups, begun: new Map(this.#begun) };
  }

  hasBegun(event: JsonObject, traceId: string): boolean {
    return this.#begun.has(keyOf(event, traceId));
  }

  /** @returns the use, only at the end of a call */
  follow(event: JsonObject, phase: EventPhase, traceId: string, at: number): UsedCall | undefined {
    if (phase === "point") return undefined;
    const key = keyOf(event, traceId);
    const begun = this.#begun.get(key);
    this.#begun.delete(key);
    if (phase === "start") {
      this.#begun.set(key, { model: modelIn(event), provider: textField(event, "provider"), at });
      if (this.#begun.size > MOST_BEGUN) this.#begun.delete(this.#begun.keys().next().value!);
      return undefined;
    }
    const used = usedCall(event, at, begun);
    this.#used.add(used);
    return used;
  }

  take(): readonly ModelUsage[] {
    const { groups } = this.#used;
    if (groups.length > 0) this.#used = new UsageByModel();
    return groups;
  }

  /** Restores use after a failed write. */
  add(used: readonly ModelUsage[]): void {
    for (const calls of used) this.#used.addCalls(calls);
  }
}

function keyOf(event: JsonObject, traceId: string): string {
  return `${traceId}\0${callIdIn(event) ?? ""}`;
}

export interface UncountedSoFar extends CallsSoFar {
  /** Traces without a started call since their turn began: their writer may record only ends. */
  readonly endsOnly: ReadonlySet<string>;
}

/**
 * Finds the model calls that a session's log does not count, among the envelopes of its trace in stored order: calls that began after the
 * last counted instant. Our recorders leave none; other writers do while a turn runs.
 */
export class UncountedCalls {
  readonly #countedUntil: number | undefined;
  readonly #calls: UsedCalls;
  readonly #endsOnly: Set<string>;

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

  /** The start of a call without an id is not recorded. */
  #beganBefore(event: JsonObject, traceId: string): boolean {
    if (this.#countedUntil === undefined || callIdIn(event) === undefined) return false;
    return !this.#calls.hasBegun(event, traceId) && !this.#endsOnly.has(traceId);
  }
}

/** For envelopes and log records in one order: a record that counts calls covers all calls that ended before it. */
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
