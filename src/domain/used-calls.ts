import type { EventPhase } from "./event-kinds.js";
import { type JsonObject, textField } from "./json.js";
import { type ModelUsage, UsageByModel, type UsedCall } from "./model-usage.js";
import { readUsage, recordedCostOf } from "./recorded-usage.js";
import { NO_USAGE } from "./session.js";

/** What the beginning of a call says of it. */
interface BegunCall {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly at: number;
}

/** How many calls that did not end are known at most: of one before them only what its end says. */
const MOST_BEGUN = 1_000;

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

/** Adds up what model calls use while their events are recorded. A call that names its model at its beginning alone is known by its id. */
export class UsedCalls {
  readonly #begun = new Map<string, BegunCall>();
  #used = new UsageByModel();

  /** @param event of a model call; `at` is its instant */
  follow(event: JsonObject, phase: EventPhase, traceId: string, at: number): void {
    const id = ["callId", "llmCallId", "requestId", "messageId"].map((name) => textField(event, name));
    const key = `${traceId}\0${id.find((one) => one !== undefined) ?? ""}`;
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
    this.#used = new UsageByModel();
    return groups;
  }

  /** Takes back what could not be written. */
  add(used: readonly ModelUsage[]): void {
    for (const calls of used) this.#used.addCalls(calls);
  }
}
