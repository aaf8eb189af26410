import { type ConversationOutline, outlineBetween } from "../../domain/conversation/conversation-outline.js";
import { keyText } from "../../domain/session/session-key.js";
import { decodeCursor, encodeCursor, type SessionRequest } from "../listing/window.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { SessionSource } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";
import { lift } from "../sources/lift.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList, unchanged } from "./json-list.js";
import { listGrowth, previousList } from "./list-growth.js";

export interface MessagesRequest extends SessionRequest {
  /** A sub-agent, for its own conversation. Default is the session's main agent. */
  readonly agentId?: string | undefined;
}

function outlineOfWindow(
  outline: ConversationOutline,
  from: number,
  to: number,
  size: number,
): ConversationOutline {
  return outlineBetween(outline, from, to < size ? to : Number.POSITIVE_INFINITY);
}

/** Returns the raw messages of a session or a sub-agent, in stored order. Empty for an agent without recorded messages. */
export class GetSessionMessages {
  readonly #source: SessionSource;

  constructor(source: InspectorDataSource) {
    this.#source = lift(source);
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a cursor that was not issued for these messages
   */
  async execute(request: MessagesRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { agentId, window = {} } = request;
    const { limit, cursor, since } = window;
    const list = keyText(request, "messages", agentId);
    const from = cursor === undefined ? (window.from ?? 0) : Number(decodeCursor(list, cursor, /^\d{1,15}$/));
    const previous = since === undefined ? undefined : previousList(list, since);
    const session = await openSession(this.#source, request, options);
    const same = unchanged(session.revision, options);
    if (same !== undefined) return same;

    const stream = await session.messages(agentId);
    const growth = previous && (await listGrowth(list, stream, previous, options.signal));
    const begin = growth?.from ?? Math.min(from, stream.size);
    const end = Math.min(stream.size, begin + (limit ?? stream.size));
    const nextCursor = end < stream.size ? encodeCursor(list, String(end)) : null;
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: textsOf(stream, { from: begin, to: end }, options),
      from: begin,
      warnings: stream.warnings,
      growth,
      ...(stream.outline === undefined
        ? {}
        : { outline: outlineOfWindow(stream.outline, begin, end, stream.size) }),
      ...(limit === undefined ? {} : { nextCursor }),
    };
  }
}
