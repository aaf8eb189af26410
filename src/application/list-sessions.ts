import { longFingerprint } from "../domain/derived-id.js";
import type { InspectorSessionItem, SessionPlace, SessionStatus } from "../domain/session.js";
import { runInSlices } from "./breathe.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList } from "./json-list.js";
import { KeptPages, type Page } from "./kept-pages.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import { selectSessions } from "./select-sessions.js";
import { streamOf } from "./text-stream.js";
import { decodeCursor, encodeCursor, type Window } from "./window.js";

/** Which sessions are asked for. Filters narrow the list together; without any it holds every session of every tenant. */
export interface SessionQuery {
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
  readonly status?: SessionStatus | undefined;
  /** Part of a session's id, user or title, whatever its case. */
  readonly text?: string | undefined;
  readonly window?: Window | undefined;
}

const LIST = "sessions";

/** The sessions of all tenants: newest activity first, then by tenant, then by session. */
export class ListSessions {
  readonly #source: InspectorDataSource;
  readonly #kept = new KeptPages();

  constructor(source: InspectorDataSource) {
    this.#source = source;
  }

  /** @throws InvalidRequestError for a cursor that was not issued for the session list */
  async execute(query: SessionQuery = {}, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { limit, cursor } = query.window ?? {};
    const after = cursor === undefined ? undefined : placeOf(cursor);
    const known = await this.#source.revision?.(undefined, undefined, options);
    if (known !== undefined && options.has?.(known)) return { isUnchanged: true, revision: known };
    const key = JSON.stringify(query);
    const kept = known === undefined ? undefined : this.#kept.find(known, key);
    if (known !== undefined && kept !== undefined) return listOf(known, kept, limit);

    const found = await this.#find(query, after, options);
    const end = Math.min(found.length, limit ?? found.length);
    const page = end === found.length ? found : found.slice(0, end);
    const last = page[end - 1];
    const nextCursor = end < found.length && last ? encodeCursor(LIST, placeText(last)) : null;
    const texts = textsOf(streamOf(page), { from: 0, to: end }, options);
    if (known !== undefined) {
      const passed = this.#kept.keep(known, key, { texts, nextCursor });
      return listOf(known, { texts: passed, nextCursor }, limit);
    }
    const revision = await runInSlices(fingerprintSteps(page, nextCursor ?? ""), options.signal);
    if (options.has?.(revision)) return { isUnchanged: true, revision };
    return listOf(revision, { texts, nextCursor }, limit);
  }

  /** What matches behind a place: with a limit at least one more than it, where there is one more. */
  async #find(
    query: SessionQuery,
    after: SessionPlace | undefined,
    options: ListOptions,
  ): Promise<InspectorSessionItem[]> {
    const { window, ...filters } = query;
    const limit = window?.limit === undefined ? undefined : window.limit + 1;
    const search = { ...filters, after, limit };
    if (this.#source.findSessions !== undefined) return this.#source.findSessions(search, options);
    return runInSlices(selectSessions(await this.#source.listSessions(options), search), options.signal);
  }
}

function listOf(revision: string, { texts, nextCursor }: Page, limit: number | undefined): JsonList {
  const list = { isUnchanged: false, revision, texts, warnings: [] } as const;
  return limit === undefined ? list : { ...list, nextCursor };
}

const ITEMS_PER_PAUSE = 256;

/** A revision for a source that knows none: a fingerprint of what would be answered. */
function* fingerprintSteps(
  page: readonly InspectorSessionItem[],
  nextCursor: string,
): Generator<void, string> {
  let digest = nextCursor;
  for (const [i, session] of page.entries()) {
    digest = longFingerprint(digest + JSON.stringify(session));
    if (i % ITEMS_PER_PAUSE === ITEMS_PER_PAUSE - 1) yield;
  }
  return digest;
}

/** The list is paged by place, not by number: sessions that become active meanwhile move none of the others. */
function placeText({ lastActive, tenantId, sessionId }: SessionPlace): string {
  return JSON.stringify([lastActive, tenantId, sessionId]);
}

/** Three JSON strings. */
const PLACE = /^\[("(?:[^"\\]|\\.)*",?){3}\]$/;

function placeOf(cursor: string): SessionPlace {
  const [lastActive, tenantId, sessionId] = JSON.parse(decodeCursor(LIST, cursor, PLACE)) as [
    string,
    string,
    string,
  ];
  return { lastActive, tenantId, sessionId };
}
