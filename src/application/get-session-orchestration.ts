import { listAgents } from "../domain/list-agents.js";
import { replayInSteps } from "../domain/replay-orchestration.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList, unchanged } from "./json-list.js";
import { openSession, readAllRecords, type SessionRequest, streamOf } from "./open-session.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import { scopeToTenants } from "./scope-to-tenants.js";
import { runInSlices } from "./slices.js";

/** Every agent that a session spawned, in its current state. */
export class GetSessionOrchestration {
  readonly #source: InspectorDataSource;

  constructor(source: InspectorDataSource) {
    this.#source = source;
  }

  /** @throws SessionNotFoundError for a session that the source does not know */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { tenants = "all" } = request;
    const source = scopeToTenants(this.#source, tenants);
    const session = await openSession(source, request, options);
    const same = unchanged(session.revision, options);
    if (same !== undefined) return same;

    const log = await session.orchestration();
    const events = await readAllRecords<unknown>(log.events, options);
    // A source that keeps no state may still have the events that it would be made of.
    const state = await log.state();
    const snapshot = state?.snapshot ?? (await runInSlices(replayInSteps(null, events), options.signal));
    const agents = streamOf(await runInSlices(listAgents(snapshot, events), options.signal));
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: textsOf(agents, { from: 0, to: agents.size }, options),
      warnings: [...log.events.warnings, ...(state?.warnings ?? [])],
    };
  }
}
