import { type CallContext, contextMessage } from "../../domain/conversation/call-context.js";
import { tracedCall } from "../../domain/conversation/model-call-of.js";
import { keyText } from "../../domain/session/session-key.js";
import { formatInstant } from "../../domain/trace/instant.js";
import { estimateTokens } from "../../domain/usage/token-counts.js";
import { InvalidRequestError } from "../errors.js";
import { decodeCursor, encodeCursor, type SessionRequest } from "../listing/window.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { CallContexts } from "../records/call-contexts.js";
import { openSession } from "../records/open-session.js";
import { TraceQuestion } from "./trace-question.js";

export interface CallContextRequest extends SessionRequest {
  /** The id of an envelope: of a model call, or of a step that a model call requested. */
  readonly call: string;
}

const DEFAULT_LIMIT = 100;

export class GetCallContext extends TraceQuestion {
  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a step that the session does not have, one before its first model call, and a cursor of another list
   */
  async execute(request: CallContextRequest, options: ReadOptions = {}): Promise<CallContext> {
    const { call: id, window = {} } = request;
    const { limit = DEFAULT_LIMIT, cursor } = window;
    const list = keyText(request, "context", id);
    const from = cursor === undefined ? 0 : Number(decodeCursor(list, cursor, /^\d{1,15}$/));
    const session = await openSession(this.source, request, options);
    session.begin?.(["trace", "orchestration", "state"]);
    const contexts = new CallContexts(this.pool, this.orders);
    const call = await contexts.find(session, request, options);
    if (call === undefined) {
      throw new InvalidRequestError(
        "call",
        "names no step of this session up to which there is a model call.",
      );
    }
    const context = await contexts.contextOf(session, call, options);
    const to = Math.min(context.messages.length, from + limit);
    const { spanId, at, tokens } = tracedCall(call.call);
    const complete = await context.read(context.messages.slice(from, to));
    return {
      call: {
        id: spanId,
        timestamp: formatInstant(at),
        ...(call.call.agentId === "" ? {} : { agentId: call.call.agentId }),
        ...(tokens === undefined ? {} : { countedTokens: tokens }),
        size: context.messages.length,
        estimatedTokens: context.messages.reduce((sum, { size }) => sum + estimateTokens(size), 0),
        source: context.source,
      },
      messages: complete.map(({ message, item }) => contextMessage(message, item)),
      nextCursor: to < context.messages.length ? encodeCursor(list, String(to)) : null,
    };
  }
}
