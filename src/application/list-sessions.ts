import { ByteFingerprint, longFingerprint } from "../domain/derived-id.js";
import type { InspectorSessionItem, SessionPlace, SessionStatus } from "../domain/session.js";
import { runInSlices } from "./breathe.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList } from "./json-list.js";
import { KeptPages, type Page } from "./kept-pages.js";
import type { InspectorDataSource, SessionSearch } from "./ports/inspector-data-source.js";
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

const encoder = new TextEncoder();

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
    const page = kept ?? (await this.#makePage(query, after, options));
    if (known !== undefined) {
      this.#kept.keep(known, key, page);
      return listOf(known, page, limit);
    }
    const revision = fingerprintOf(page);
    return options.has?.(revision) ? { isUnchanged: true, revision } : listOf(revision, page, limit);
  }

  async #makePage(query: SessionQuery, after: SessionPlace | undefined, options: ListOptions): Promise<Page> {
    const { window, ...filters } = query;
    // One more than the page has, where there is one more.
    const limit = window?.limit === undefined ? undefined : window.limit + 1;
    const search = { ...filters, after, limit };
    const known = await this.#source.findSessionTexts?.(search, options);
    if (known !== undefined) return pageOfTexts(known, window?.limit);
    const found = await this.#find(search, options);
    const end = Math.min(found.length, window?.limit ?? found.length);
    const nextCursor = end < found.length ? cursorBehind(found[end - 1]) : null;
    const texts: Uint8Array[] = [];
    for await (const text of textsOf(streamOf(found), { from: 0, to: end }, options)) texts.push(text);
    return { texts, nextCursor };
  }

  async #find(search: SessionSearch, options: ListOptions): Promise<InspectorSessionItem[]> {
    if (this.#source.findSessions !== undefined) return this.#source.findSessions(search, options);
    return runInSlices(selectSessions(await this.#source.listSessions(options), search), options.signal);
  }
}

function pageOfTexts(found: readonly string[], limit: number | undefined): Page {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const isEnd = last === undefined || shown.length === found.length;
  return {
    texts: last === undefined ? [] : [encoder.encode(shown.join(","))],
    nextCursor: isEnd ? null : cursorBehind(JSON.parse(last) as SessionPlace),
  };
}

function cursorBehind(place: SessionPlace | undefined): string | null {
  return place === undefined ? null : encodeCursor(LIST, placeText(place));
}

function listOf(revision: string, { texts, nextCursor }: Page, limit: number | undefined): JsonList {
  const list = { isUnchanged: false, revision, texts: inTurn(texts), warnings: [] } as const;
  return limit === undefined ? list : { ...list, nextCursor };
}

async function* inTurn(texts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* texts;
}

/** A revision for a source that knows none: a fingerprint of what would be answered. */
function fingerprintOf({ texts, nextCursor }: Page): string {
  const fingerprint = new ByteFingerprint();
  for (const text of texts) fingerprint.add(text);
  return fingerprint.toString() + longFingerprint(nextCursor ?? "");
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
