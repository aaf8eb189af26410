import { type JsonList, type ListOptions, textsOf, type UnchangedList } from "./json-list.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import { openSession, type SessionRequest } from "./session-access.js";
import { openMessages } from "./text-stream.js";
import { decodeCursor, encodeCursor, listName } from "./window.js";

/** The raw message history of a session, in stored order. */
export class GetSessionMessages {
  readonly #source: InspectorDataSource;

  constructor(source: InspectorDataSource) {
    this.#source = source;
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a cursor that was not issued for these messages
   */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { tenantId, sessionId, window = {} } = request;
    const list = listName("messages", tenantId, sessionId);
    const from = window.cursor === undefined ? 0 : Number(decodeCursor(list, window.cursor, /^\d{1,15}$/));
    const session = await openSession(this.#source, request, options);
    if (session.isUnchanged) return session;
    const stream = await openMessages(this.#source, tenantId, sessionId, options);
    const begin = Math.min(from, stream.size);
    const end = Math.min(stream.size, begin + (window.limit ?? stream.size));
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: textsOf(stream, { from: begin, to: end }, options),
      warnings: stream.warnings,
      ...(window.limit === undefined
        ? {}
        : { nextCursor: end < stream.size ? encodeCursor(list, String(end)) : null }),
    };
  }
}
