import type { EventPhase } from "./event-kinds.js";
import { type JsonObject, textField } from "./json.js";
import { type ModelUsage, UsageByModel } from "./model-usage.js";
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

/** Adds up what model calls use while their events are recorded. A call that names its model at its beginning alone is known by its id. */
export class UsedCalls {
  readonly #begun = new Map<string, BegunCall>();
  #used = new UsageByModel();

  /** @param event of a model call; `at` is its instant */
  follow(event: JsonObject, phase: EventPhase, traceId: string, at: number): void {
    const id = ["callId", "llmCallId", "requestId", "messageId"].map((name) => textField(event, name));
    const key = `${traceId}\0${id.find((one) => one !== undefined) ?? ""}`;
    const model = textField(event, "model") ?? textField(event, "modelId");
    const provider = textField(event, "provider");
    const begun = this.#begun.get(key);
    this.#begun.delete(key);
    if (phase === "start") {
      this.#begun.set(key, { model, provider, at });
      if (this.#begun.size > MOST_BEGUN) this.#begun.delete(this.#begun.keys().next().value!);
      return;
    }
    this.#used.add({
      model: model ?? begun?.model,
      provider: provider ?? begun?.provider,
      at: begun?.at ?? at,
      usage: readUsage(event) ?? NO_USAGE,
      recordedUsd: recordedCostOf(event),
    });
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
