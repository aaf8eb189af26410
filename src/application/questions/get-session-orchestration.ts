import { keyText } from "../../domain/session/session-key.js";
import { listAgents } from "../../domain/trace/orchestration.js";
import { replayInSteps } from "../../domain/trace/replay-orchestration.js";
import type { SessionRequest } from "../listing/window.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { SessionSource } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";
import { lift } from "../sources/lift.js";
import { readAllRecords, streamOf } from "../sources/record-streams.js";
import { runInSlices } from "../threads/slices.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList, unchanged } from "./json-list.js";
import { listGrowth, previousList } from "./list-growth.js";

export class GetSessionOrchestration {
  readonly #source: SessionSource;

  constructor(source: InspectorDataSource) {
    this.#source = lift(source);
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a token that was not issued for this list
   */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { window = {} } = request;
    const list = keyText(request, "orchestration");
    const previous = window.since === undefined ? undefined : previousList(list, window.since);
    const session = await openSession(this.#source, request, options);
    const same = unchanged(session.revision, options);
    if (same !== undefined) return same;

    session.begin?.(["orchestration", "state"]);
    const log = await session.orchestration();
    const events = await readAllRecords<unknown>(log.events, options);
    const state = await log.state();
    const snapshot = state?.snapshot ?? (await runInSlices(replayInSteps(null, events), options.signal));
    const agents = streamOf(await runInSlices(listAgents(snapshot, events), options.signal));
    const growth = previous && (await listGrowth(list, agents, previous, options.signal));
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: textsOf(agents, { from: growth?.from ?? 0, to: agents.size }, options),
      growth,
      warnings: [...log.events.warnings, ...(state?.warnings ?? [])],
    };
  }
}
