import { classifyEvent, type EventPhase } from "../dialects/event-kinds.js";
import { readUsage, recordedCostOf } from "../dialects/recorded-usage.js";
import { type JsonObject, objectField, textField } from "../json/json.js";
import { instantOf } from "../trace/instant.js";
import { NO_USAGE } from "../usage/token-usage.js";
import { type ModelUsage, UsageByModel, type UsedCall } from "./model-usage.js";

/** Facts from the start of a call. */
interface BegunCall {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly at: number;
}

/** State of model calls after some of their events: plain data, to continue from. */
interface CallsSoFar {
  /** Use of the calls that ended. */
  readonly used: readonly ModelUsage[];
  /** Those that have not, by trace and id. */
  readonly begun: ReadonlyMap<string, BegunCall>;
}

/** Maximum number of remembered open calls. For an older call only its end counts. */
const MOST_BEGUN = 1_000;

/**
 * Returns the use of a model call from its end.
 *
 * @param begun the facts from its start
 */
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

/** Members that name a call at its start and at its end. */
const IDS = ["callId", "llmCallId", "requestId", "messageId"];

/** The id of a model call, in one of its events; `undefined` where it has none. */
function callIdIn(event: JsonObject): string | undefined {
  for (const name of IDS) {
    const id = textField(event, name);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Adds up the use of model calls while their events are recorded. A call that names its model only at its start is matched by its id. */
export class UsedCalls {
  readonly #begun: Map<string, BegunCall>;
  #used: UsageByModel;

  /** @param before calls to continue from. Default is an empty state */
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

  /**
   * @param event of a model call; `at` is its instant. An event that neither begins nor ends the call changes nothing
   * @returns the use, for the end of a call
   */
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

  /** Returns the use since the last time. */
  take(): readonly ModelUsage[] {
    const { groups } = this.#used;
    if (groups.length > 0) this.#used = new UsageByModel();
    return groups;
  }

  /** Takes back what could not be written. */
  add(used: readonly ModelUsage[]): void {
    for (const calls of used) this.#used.addCalls(calls);
  }
}

function keyOf(event: JsonObject, traceId: string): string {
  return `${traceId}\0${callIdIn(event) ?? ""}`;
}

/** State of the search for uncounted calls of a trace: plain data, to continue from. */
export interface UncountedSoFar extends CallsSoFar {
  /** Traces without a call since their turn began: their writer may record only the ends of calls. */
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

  /** True if an ending call belongs to a recorded turn. The start of a call without an id is unknown. */
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
