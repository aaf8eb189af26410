import type { MessageProvenance, SeenMessageName } from "../../domain/conversation/context-history.js";
import { InvalidRequestError } from "../errors.js";
import { factsBatch } from "../explain/context-facts.js";
import {
  ADD_ENVELOPES,
  ADD_MESSAGES,
  BEGIN_HISTORY,
  DROP_HISTORY,
  FIND_AGENT,
  FIND_PROVENANCE,
} from "../explain/provenance-tasks.js";
import type { RunOptions } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { BEGINNING, envelopeBatches } from "../search/search-session.js";
import { openSession } from "../sources/scope.js";
import type { CallContextRequest } from "./get-call-context.js";
import { TraceQuestion } from "./trace-question.js";

export interface ProvenanceRequest extends Omit<CallContextRequest, "window"> {
  /** As `GetCallContext` names a message that the call saw. */
  readonly message: SeenMessageName;
}

/** How many histories were begun, in whichever thread: their ids. */
let begun = 0;

/** Where a message that a model call saw came from, and what became of it. */
export class GetMessageProvenance extends TraceQuestion {
  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a step that the session does not have, and a message that the call did not see
   */
  async execute(request: ProvenanceRequest, options: ReadOptions = {}): Promise<MessageProvenance> {
    const session = await openSession(this.source, request, options);
    const id = String(begun++);
    const there = { ...options, lane: this.pool.quietLane?.() ?? 0 };
    try {
      await this.pool.run(BEGIN_HISTORY, id, there);
      return await this.#find(id, session, request, there);
    } finally {
      await this.pool.run(DROP_HISTORY, id, { lane: there.lane });
    }
  }

  async #find(
    id: string,
    session: SessionSnapshot,
    request: ProvenanceRequest,
    there: RunOptions,
  ): Promise<MessageProvenance> {
    const { call, message } = request;
    const agents = await this.#readTrace(id, session, request, there);
    const agentId = await this.pool.run(FIND_AGENT, { id, call, agents }, there);
    if (agentId === undefined)
      throw new InvalidRequestError(
        "call",
        "names no step of this session up to which there is a model call.",
      );
    const stream = await session.messages(agentId === "" ? undefined : agentId);
    let at = 0;
    for await (const batch of stream.read({ from: 0, to: stream.size }, { signal: there.signal })) {
      await this.pool.run(ADD_MESSAGES, { id, ...factsBatch(batch, at) }, there);
      at += batch.size;
    }
    const found = await this.pool.run(FIND_PROVENANCE, { id, message }, there);
    if (found === undefined)
      throw new InvalidRequestError(
        "message",
        "names no message that the model call saw: its context lists them.",
      );
    return found;
  }

  /** @returns the agents that are known to be no main agent */
  async #readTrace(
    id: string,
    session: SessionSnapshot,
    request: ProvenanceRequest,
    there: RunOptions,
  ): Promise<readonly string[]> {
    const { signal } = there;
    const trace = await session.trace();
    const state = await (await session.orchestration()).state();
    const agents = new Set(Object.keys(state?.snapshot.agents ?? {}));
    let previousAt = 0;
    let at = 0;
    for await (const { batch } of envelopeBatches(session, trace, this.orders, request, BEGINNING, {
      signal,
    })) {
      const input = { id, ...factsBatch(batch, at), previousAt, call: request.call };
      const read = await this.pool.run(ADD_ENVELOPES, input, there);
      for (const agent of read.agents) agents.add(agent);
      previousAt = read.lastAt;
      at += batch.size;
    }
    return [...agents];
  }
}
