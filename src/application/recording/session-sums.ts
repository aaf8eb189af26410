import type { JsonObject } from "../../domain/json/json.js";
import { countsCalls } from "../../domain/session/log-counts.js";
import type { ModelUsage } from "../../domain/session/model-usage.js";
import {
  EMPTY_END,
  type EventLogEnd,
  followEnvelope,
  followOrchestrationEvent,
} from "../../domain/session/session-activity.js";
import { EMPTY_LOG, followLog, type LoggedFacts, type SessionLog } from "../../domain/session/session-log.js";
import { followUncounted } from "../../domain/session/used-calls.js";

export class SessionSums {
  #log: SessionLog = EMPTY_LOG;
  #traceEnd: EventLogEnd = EMPTY_END;
  #orchestrationEnd: EventLogEnd = EMPTY_END;
  #uncounted: readonly ModelUsage[] = [];

  get log(): SessionLog {
    return this.#log;
  }

  get facts(): LoggedFacts {
    return {
      log: this.#log,
      ends: [this.#traceEnd, this.#orchestrationEnd],
      uncounted: this.#uncounted,
    };
  }

  addToLog(record: JsonObject): void {
    this.#log = followLog(this.#log, record);
    if (countsCalls(record)) this.#uncounted = [];
  }

  addEnvelope(envelope: object): void {
    this.#traceEnd = followEnvelope(this.#traceEnd, envelope as JsonObject);
    this.#uncounted = followUncounted(this.#uncounted, envelope as JsonObject, this.#log.countedUntil);
  }

  addOrchestrationEvent(event: object): void {
    this.#orchestrationEnd = followOrchestrationEvent(this.#orchestrationEnd, event as JsonObject);
  }
}
