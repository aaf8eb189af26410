import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SessionKey } from "../ports/session-store.js";
import { filterOf, zoneOf } from "../questions/filters.js";
import { FilteredSessions } from "../sources/filtered-sessions.js";
import type { TenantScope } from "../sources/scope.js";
import { runInSlices } from "../threads/slices.js";
import type { SearchRequest } from "./search-answer.js";
import type { SearchCursor } from "./search-cursor.js";

/** The sessions that a filter means, as far as they are known. */
export interface Meant {
  has(session: SessionKey): boolean;
  /** Of how many it is not known whether it means them, and how many of these will be known once they are read. */
  readonly undecided: number;
  readonly unread: number;
}

/** How many answers wait for sessions that are not read yet: further on those are left out. */
const MOST_WAITS = 300;

/**
 * @returns where a search goes on that cannot begin yet: sessions that the filter may mean are still read; `undefined` where it can
 */
export function stillReading(meant: Meant | undefined, begin: SearchCursor): SearchCursor | undefined {
  const { waits = 0 } = begin;
  if (meant === undefined || meant.unread === 0 || waits >= MOST_WAITS) return undefined;
  return { ...begin, waits: waits + 1 };
}

/** What of a request names its filter, for the cursors of the search: nothing where there is none. */
export function filterParts({ filter, zone }: Pick<SearchRequest, "filter" | "zone">): readonly unknown[] {
  return filter === undefined ? [] : [filter, zone];
}

/** What an answer says of sessions that are left out. */
export function notesOn({ undecided, unread }: Meant): string[] {
  const left = undecided + unread;
  if (left === 0) return [];
  const which = left === 1 ? "1 session" : `${left} sessions`;
  return [`It is not known of ${which} whether the filter means them, and they are left out.`];
}

type Asked = Pick<SearchRequest, "filter" | "zone" | "tenantId" | "tenants">;

/** For how long they are the same for a search that goes on, in milliseconds. */
const KEPT_MS = 5_000;

const SESSIONS_PER_PAUSE = 512;

/** Looks up which sessions a search with a filter is about. What was looked up last is kept for the next answer. */
export class MeantSessions {
  readonly #filtered: FilteredSessions;
  #last: { readonly key: string; readonly until: number; readonly meant: Meant } | undefined;

  /** @param filtered default reads on the host's own event loop, in slices */
  constructor(filtered = new FilteredSessions()) {
    this.#filtered = filtered;
  }

  /**
   * @param source held to the caller's scope
   * @returns `undefined` where there is no filter
   * @throws InvalidRequestError for a filter or a zone that is none
   */
  async of(
    source: SessionSource,
    { filter: text, zone, tenantId, tenants = "all" }: Asked,
    budgetMs: number,
    options: ReadOptions,
  ): Promise<Meant | undefined> {
    if (text === undefined) return undefined;
    const now = Date.now();
    const filter = filterOf(text, zoneOf(zone), now);
    const key = JSON.stringify([text, zone, tenantId, sorted(tenants)]);
    if (this.#last?.key === key && this.#last.until > now) return this.#last.meant;
    const page = await this.#filtered.find(source, { filter, tenantId, budgetMs }, options);
    const names = await runInSlices(namesOf(page.items), options.signal);
    const meant: Meant = {
      has: (session) => names.has(nameOf(session)),
      undecided: page.undecided,
      unread: page.unread ?? 0,
    };
    if (meant.unread === 0) this.#last = { key, until: Date.now() + KEPT_MS, meant };
    return meant;
  }
}

function sorted(tenants: TenantScope): TenantScope {
  return tenants === "all" ? tenants : [...tenants].sort();
}

function* namesOf(sessions: readonly SessionKey[]): Generator<void, Set<string>> {
  const names = new Set<string>();
  for (const session of sessions) {
    names.add(nameOf(session));
    if (names.size % SESSIONS_PER_PAUSE === 0) yield;
  }
  return names;
}

function nameOf({ tenantId, sessionId }: SessionKey): string {
  return JSON.stringify([tenantId, sessionId]);
}
