import type { InspectorSessionItem, SessionSortKey, SessionStatus } from "../../domain/session/session.js";
import { ByteFingerprint, longFingerprint } from "../../domain/text/fingerprints.js";
import { FilteredSessions } from "../listing/filtered-sessions.js";
import { filterOf, zoneOf } from "../listing/filters.js";
import { decodeCursor, encodeCursor, type Window } from "../listing/window.js";
import type { InspectorDataSource, SessionPage, SessionSearch } from "../ports/inspector-data-source.js";
import type { SessionSource } from "../ports/session-source.js";
import type { CallPricing } from "../pricing/call-pricing.js";
import { PricedSessions } from "../pricing/call-pricing.js";
import { lift, liftNamed } from "../sources/lift.js";
import { streamOf } from "../sources/record-streams.js";
import { revisionInScope, scope, type TenantScope } from "../sources/scope.js";
import { PLACE_TEXT, placeOfText, placeText } from "../sources/select-sessions.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList, unchanged } from "./json-list.js";

/** Filters apply together. Without a filter the list has every session of every tenant. */
export interface SessionQuery {
  readonly tenantId?: string | undefined;
  /** Compared exactly. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly status?: SessionStatus | undefined;
  readonly text?: string | undefined;
  readonly source?: string | undefined;
  readonly filter?: string | undefined;
  /** Time zone of the filter's dates. Default is that of the process. */
  readonly zone?: string | undefined;
  readonly window?: Window | undefined;
  /** Sessions of other tenants are not in the list. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

const LIST = "sessions";

interface Page extends Pick<JsonList, "warnings" | "counts"> {
  readonly texts: readonly Uint8Array[];
  readonly nextCursor: string | null;
  readonly fingerprint: string;
}

/** The sessions of all tenants: newest activity first, then by tenant, then by session. */
export class ListSessions {
  readonly #source: InspectorDataSource;
  readonly #priced: PricedSessions;
  readonly #filtered: FilteredSessions;

  /**
   * @param pricing without it, sessions have the recorded cost, or none
   * @param filtered default reads on the host's own event loop, in slices
   */
  constructor(source: InspectorDataSource, pricing?: CallPricing, filtered?: FilteredSessions) {
    this.#source = source;
    this.#priced = new PricedSessions(pricing);
    this.#filtered = filtered ?? new FilteredSessions(this.#priced);
  }

  /**
   * @throws InvalidRequestError for a cursor that was not issued for the session list, and for an invalid filter
   * @throws SourceContractError if the source violates its contract
   */
  async execute(query: SessionQuery = {}, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { limit, cursor } = query.window ?? {};
    const after = cursor === undefined ? undefined : placeOf(cursor);
    const { tenants = "all", source: name, filter: text, zone, window: _, ...wanted } = query;
    const filter = text === undefined ? undefined : filterOf(text, zoneOf(zone), Date.now());
    const named = name === undefined ? lift(this.#source) : await liftNamed(this.#source, name);
    const source = named === undefined ? scope(lift(this.#source), []) : scope(named, tenants);
    // The result of a filter changes with the clock, and with the progress of reading.
    const existing = filter === undefined ? await source.revision(options) : undefined;
    const same = unchanged(existing, options);
    if (same !== undefined) return same;

    const search = { ...wanted, after, limit };
    const matches =
      filter === undefined
        ? await findPage(source, search, options)
        : await this.#filtered.find(source, { ...search, filter }, options);
    const page = await pageOf(matches, await this.#priced.of(matches.items, options), options);
    const { texts, nextCursor, fingerprint, counts, warnings } = page;
    const revision = existing ?? revisionInScope(tenants, fingerprint);
    const list = { isUnchanged: false, revision, texts: inTurn(texts), warnings } as const;
    return (
      unchanged(revision, options) ??
      (limit === undefined
        ? { ...list, ...(filter === undefined ? {} : { counts }) }
        : { ...list, nextCursor, counts })
    );
  }
}

interface ListedPage extends SessionPage {
  readonly hasMore: boolean;
  readonly undecided?: number;
  readonly lookedTo?: SessionSortKey | undefined;
}

async function findPage(
  source: SessionSource,
  { limit, ...search }: SessionSearch,
  options: ListOptions,
): Promise<ListedPage> {
  const page = await source.findSessions({ ...search, limit: limit && limit + 1 }, options);
  const hasMore = limit !== undefined && page.items.length > limit;
  return { ...page, items: hasMore ? page.items.slice(0, limit) : page.items, hasMore };
}

async function pageOf(
  { hasMore, lookedTo, total, unread, undecided = 0, warnings = [] }: ListedPage,
  items: readonly InspectorSessionItem[],
  options: ListOptions,
): Promise<Page> {
  const nextCursor = hasMore ? cursorBehind(lookedTo ?? items.at(-1)) : null;
  const texts: Uint8Array[] = [];
  const fingerprint = new ByteFingerprint();
  for await (const text of textsOf(streamOf(items), { from: 0, to: items.length }, options)) {
    texts.push(text);
    fingerprint.add(text); // here, because the event loop turns between two batches
  }
  const counts = { total, unread, ...(undecided === 0 ? {} : { undecided }) };
  const rest = longFingerprint(JSON.stringify([nextCursor, counts, warnings]));
  return { texts, nextCursor, counts, warnings, fingerprint: fingerprint.toString() + rest };
}

function cursorBehind(place: SessionSortKey | undefined): string | null {
  return place === undefined ? null : encodeCursor(LIST, placeText(place));
}

async function* inTurn(texts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* texts;
}

function placeOf(cursor: string): SessionSortKey {
  return placeOfText(decodeCursor(LIST, cursor, PLACE_TEXT));
}
