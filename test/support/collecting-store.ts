import type { SessionStore, StoredOrchestrationEvent } from "../../src/application/ports/session-store.js";
import type { SessionRecord } from "../../src/application/recording/describe-session.js";
import type { SessionKey } from "../../src/domain/session/session-key.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";

/** Collects the records of one session, as `describeSession` takes them, and forwards them to other stores. */
export class CollectingStore implements SessionStore {
  readonly log: SessionRecord[] = [];
  readonly envelopes: WorkflowTraceEventEnvelope[] = [];
  readonly orchestrationEvents: StoredOrchestrationEvent[] = [];
  readonly #stores: readonly SessionStore[];

  constructor(...stores: readonly SessionStore[]) {
    this.#stores = stores;
  }

  recordsOf(key: SessionKey) {
    const { log, envelopes, orchestrationEvents } = this;
    return { ...key, log, envelopes, orchestrationEvents };
  }

  openSession: SessionStore["openSession"] = async (start) => {
    this.log.push({ type: "init", ...start });
    const [opened] = await Promise.all(this.#stores.map((store) => store.openSession(start)));
    return opened!;
  };

  appendTurn: SessionStore["appendTurn"] = (key, turn) => {
    this.log.push({ type: "turn", ...turn });
    return this.#each((store) => store.appendTurn(key, turn));
  };

  updateSession: SessionStore["updateSession"] = (key, update) => {
    this.log.push({ type: "update", ...update });
    return this.#each((store) => store.updateSession(key, update));
  };

  appendTraceEnvelopes: SessionStore["appendTraceEnvelopes"] = (key, envelopes) => {
    this.envelopes.push(...envelopes);
    return this.#each((store) => store.appendTraceEnvelopes(key, envelopes));
  };

  appendOrchestrationEvents: SessionStore["appendOrchestrationEvents"] = (key, events) => {
    this.orchestrationEvents.push(...events);
    return this.#each((store) => store.appendOrchestrationEvents(key, events));
  };

  appendMessages: SessionStore["appendMessages"] = (key, messages) =>
    this.#each((store) => store.appendMessages(key, messages));

  replaceMessages: SessionStore["replaceMessages"] = (key, messages) =>
    this.#each((store) => store.replaceMessages(key, messages));

  async #each(call: (store: SessionStore) => Promise<void>): Promise<void> {
    await Promise.all(this.#stores.map(call));
  }
}
