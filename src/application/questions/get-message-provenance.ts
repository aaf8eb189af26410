import type { ContextMessageName, MessageProvenance } from "../../domain/conversation/context-history.js";
import {
  ADD_ENVELOPES,
  ADD_MESSAGES,
  ADD_OUTLINE,
  FIND_AGENT,
  FIND_PROVENANCE,
} from "../authorship/provenance-tasks.js";
import { InvalidRequestError } from "../errors.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { readEnvelopes } from "../records/call-contexts.js";
import { factsBatch } from "../records/context-facts.js";
import { openSession } from "../records/open-session.js";
import { ThreadSession } from "../threads/thread-session.js";
import type { CallContextRequest } from "./get-call-context.js";
import { TraceQuestion } from "./trace-question.js";

export interface ProvenanceRequest extends Omit<CallContextRequest, "window"> {
  readonly message: ContextMessageName;
}

export class GetMessageProvenance extends TraceQuestion {
  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a step that the session does not have, and a message that the call did not see
   */
  async execute(request: ProvenanceRequest, options: ReadOptions = {}): Promise<MessageProvenance> {
    const session = await openSession(this.source, request, options);
    session.begin?.(["trace", "orchestration", "state", "messages"]);
    const thread = new ThreadSession(this.pool, options);
    try {
      return await this.#find(session, request, thread, options);
    } finally {
      await thread.close();
    }
  }

  async #find(
    session: SessionSnapshot,
    request: ProvenanceRequest,
    thread: ThreadSession,
    { signal }: ReadOptions,
  ): Promise<MessageProvenance> {
    const { call, message } = request;
    const agents = await readEnvelopes(session, this.orders, request, { signal }, (batch) =>
      thread.call(ADD_ENVELOPES, batch),
    );
    const agentId = await thread.call(FIND_AGENT, { call, agents });
    if (agentId === undefined)
      throw new InvalidRequestError(
        "call",
        "names no step of this session up to which there is a model call.",
      );
    const stream = await session.messages(agentId === "" ? undefined : agentId);
    if (stream.outline !== undefined) await thread.call(ADD_OUTLINE, stream.outline);
    let at = 0;
    for await (const batch of stream.read({ from: 0, to: stream.size }, { signal })) {
      await thread.call(ADD_MESSAGES, factsBatch(batch, at));
      at += batch.size;
    }
    const provenance = await thread.call(FIND_PROVENANCE, message);
    if (provenance === undefined)
      throw new InvalidRequestError(
        "message",
        "names no message that the model call saw: its context lists them.",
      );
    return provenance;
  }
}
