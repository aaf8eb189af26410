import { type JsonObject, textField } from "../json/json.js";
import type { EventPhase } from "../trace/event-kinds.js";
import { type ModelUsage, UsageByModel, type UsedCall } from "../usage/model-usage.js";
import { readUsage, recordedCostOf } from "../usage/recorded-usage.js";
import { NO_USAGE } from "./session.js";

/** What the beginning of a call says of it. */
interface BegunCall {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly at: number;
}

/** Model calls as far as their events were followed: plain data, to go on from. */
export interface CallsSoFar {
  /** What those used that have ended. */
  readonly used: readonly ModelUsage[];
  /** Those that have not, by trace and id. */
  readonly begun: ReadonlyMap<string, BegunCall>;
}

/** How many calls that did not end are known at most: of one before them only what its end says. */
export const MOST_BEGUN = 1_000;

/**
 * What the end of a model call says that it used.
 *
 * @param begun what its beginning said
 */
export function usedCall(event: JsonObject, at: number, begun?: BegunCall): UsedCall {
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

/** What the members are called that name a call at its beginning and at its end. */
const IDS = ["callId", "llmCallId", "requestId", "messageId"];

/** The id of a model call, in one of its events; `undefined` where it has none. */
export function callIdIn(event: JsonObject): string | undefined {
  for (const name of IDS) {
    const id = textField(event, name);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Adds up what model calls use while their events are recorded. A call that names its model at its beginning alone is known by its id. */
export class UsedCalls {
  readonly #begun: Map<string, BegunCall>;
  #used: UsageByModel;

  /** @param before calls to go on from. Default is none */
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

  /** @param event of a model call; `at` is its instant. One that neither begins nor ends the call tells nothing */
  follow(event: JsonObject, phase: EventPhase, traceId: string, at: number): void {
    if (phase === "point") return;
    const key = keyOf(event, traceId);
    const begun = this.#begun.get(key);
    this.#begun.delete(key);
    if (phase === "start") {
      this.#begun.set(key, { model: modelIn(event), provider: textField(event, "provider"), at });
      if (this.#begun.size > MOST_BEGUN) this.#begun.delete(this.#begun.keys().next().value!);
      return;
    }
    this.#used.add(usedCall(event, at, begun));
  }

  /** What was used since the last time. */
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
