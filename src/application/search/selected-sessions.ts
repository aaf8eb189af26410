import { isPause } from "../../domain/lists/is-pause.js";
import { keyText, type SessionKey } from "../../domain/session/session-key.js";
import { FilteredSessions } from "../listing/filtered-sessions.js";
import { filterOf, zoneOf } from "../listing/filters.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import type { TenantScope } from "../sources/scope.js";
import { runInSlices } from "../threads/slices.js";
import type { SearchRequest } from "./search-answer.js";
import type { SearchCursor } from "./search-cursor.js";

/** The sessions that match a filter, as far as it has been decided. */
export interface Selection {
  has(session: SessionKey): boolean;
  /** Number of sessions not yet decided by the filter, and how many of these are decided once they are read. */
  readonly undecided: number;
  readonly unread: number;
}

/** Maximum number of answers that wait for unread sessions; after them, these sessions are skipped. */
const MOST_WAITS = 300;

/**
 * @returns the cursor of a search that must wait, because sessions that the filter may match are still being read; `undefined` if the
 *   search can begin
 */
export function stillReading(
  selection: Selection | undefined,
  begin: SearchCursor,
): SearchCursor | undefined {
  const { waits = 0 } = begin;
  if (selection === undefined || selection.unread === 0 || waits >= MOST_WAITS) return undefined;
  return { ...begin, waits: waits + 1 };
}

/** Returns the parts of a request that identify its filter, for the cursors of the search; empty without a filter. */
export function filterParts({ filter, zone }: Pick<SearchRequest, "filter" | "zone">): readonly unknown[] {
  return filter === undefined ? [] : [filter, zone];
}

/** Returns the notes of an answer on skipped sessions. */
export function notesOn({ undecided, unread }: Selection): string[] {
  const left = undecided + unread;
  if (left === 0) return [];
  const which = left === 1 ? "1 session is" : `${left} sessions are`;
  return [`${which} skipped: not read yet, or without the data that the filter needs.`];
}

type SelectionRequest = Pick<SearchRequest, "filter" | "zone" | "tenantId" | "tenants">;

/** Time for which the filtered sessions stay cached for a search that continues, in milliseconds. */
const CACHED_MS = 5_000;

/** Looks up the sessions that match a search's filter. Caches the last lookup for the next answer. */
export class SelectedSessions {
  readonly #filtered: FilteredSessions;
  #last: { readonly key: string; readonly until: number; readonly selection: Selection } | undefined;

  /** @param filtered default reads on the host's own event loop, in slices */
  constructor(filtered = new FilteredSessions()) {
    this.#filtered = filtered;
  }

  /**
   * @param source restricted to the caller's scope
   * @returns `undefined` without a filter
   * @throws InvalidRequestError for an invalid filter or zone
   */
  async of(
    source: SessionSource,
    { filter: text, zone, tenantId, tenants = "all" }: SelectionRequest,
    budgetMs: number,
    options: ReadOptions,
  ): Promise<Selection | undefined> {
    if (text === undefined) return undefined;
    const now = Date.now();
    const filter = filterOf(text, zoneOf(zone), now);
    const key = JSON.stringify([text, zone, tenantId, sorted(tenants)]);
    if (this.#last?.key === key && this.#last.until > now) return this.#last.selection;
    const page = await this.#filtered.find(source, { filter, tenantId, budgetMs }, options);
    const names = await runInSlices(namesOf(page.items), options.signal);
    const selection: Selection = {
      has: (session) => names.has(keyText(session)),
      undecided: page.undecided,
      unread: page.unread ?? 0,
    };
    if (selection.unread === 0) this.#last = { key, until: Date.now() + CACHED_MS, selection };
    return selection;
  }
}

function sorted(tenants: TenantScope): TenantScope {
  return tenants === "all" ? tenants : [...tenants].sort();
}

function* namesOf(sessions: readonly SessionKey[]): Generator<void, Set<string>> {
  const names = new Set<string>();
  for (const session of sessions) {
    names.add(keyText(session));
    if (isPause(names.size)) yield;
  }
  return names;
}
