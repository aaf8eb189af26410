import { listAgents } from "../domain/list-agents.js";
import { replayOrchestration } from "../domain/replay-orchestration.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList } from "./json-list.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import { openSession, type SessionRequest } from "./session-access.js";
import { streamOf } from "./text-stream.js";

/** Every agent that a session spawned, as it stands now. */
export class GetSessionOrchestration {
  readonly #source: InspectorDataSource;

  constructor(source: InspectorDataSource) {
    this.#source = source;
  }

  /** @throws SessionNotFoundError for a session that the source does not know */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { tenantId, sessionId } = request;
    const session = await openSession(this.#source, request, options);
    if (session.isUnchanged) return session;
    const [state, events] = await Promise.all([
      this.#source.loadOrchestrationState(tenantId, sessionId, options),
      this.#source.loadOrchestrationEvents(tenantId, sessionId, options),
    ]);
    // A source that keeps no state may still have the events that it would be made of.
    const snapshot = state?.snapshot ?? replayOrchestration(null, events);
    const agents = streamOf(listAgents(snapshot, events));
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: textsOf(agents, { from: 0, to: agents.size }, options),
      warnings: state?.warnings ?? [],
    };
  }
}
