import type { SessionSortKey, SessionStatus } from "../../domain/session/session.js";
import { ByteFingerprint, longFingerprint } from "../../domain/text/fingerprints.js";
import type { CallPricing } from "../explain/call-pricing.js";
import { PricedSessions } from "../explain/call-pricing.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { SessionSource } from "../ports/session-source.js";
import { lift, liftNamed } from "../sources/lift.js";
import { streamOf } from "../sources/record-streams.js";
import { revisionInScope, scope, type TenantScope } from "../sources/scope.js";
import { PLACE_TEXT, placeOfText, placeText } from "../sources/select-sessions.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList, unchanged } from "./json-list.js";
import { decodeCursor, encodeCursor, type Window } from "./window.js";

/** Which sessions are asked for. Filters narrow the list together; without any it holds every session of every tenant. */
export interface SessionQuery {
  readonly tenantId?: string | undefined;
  /** Only the session of that id, exactly. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly status?: SessionStatus | undefined;
  /** Part of a session's id, user or title, whatever its case. */
  readonly text?: string | undefined;
  /** Only the sessions of this one of several sources: its key, or its name. */
  readonly source?: string | undefined;
  /** Only sessions that it means. */
  readonly filter?: string | undefined;
  /** By whose days its dates are read. Default is that of the process. */
  readonly zone?: string | undefined;
  readonly window?: Window | undefined;
  /** Whose sessions the caller may see: those of other tenants are not in the list. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

const LIST = "sessions";

/** A page of the list: its sessions as text, batch by batch, and where the next page begins. */
interface Page extends Pick<JsonList, "warnings" | "counts"> {
  readonly texts: readonly Uint8Array[];
  readonly nextCursor: string | null;
  /** Of all that would be answered: a revision for a source that knows none. */
  readonly fingerprint: string;
}

/** The sessions of all tenants: newest activity first, then by tenant, then by session. */
export class ListSessions {
  readonly #source: InspectorDataSource;
  readonly #priced: PricedSessions;

  /** @param pricing what models cost. Default is that nobody knows: then sessions have the cost that was recorded, or none */
  constructor(source: InspectorDataSource, pricing?: CallPricing) {
    this.#source = source;
    this.#priced = new PricedSessions(pricing);
  }

  /**
   * @throws InvalidRequestError for a cursor that was not issued for the session list
   * @throws SourceContractError where the source gives something else than the port promises
   */
  async execute(query: SessionQuery = {}, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { limit, cursor } = query.window ?? {};
    const after = cursor === undefined ? undefined : placeOf(cursor);
    const { tenants = "all", source: name, ...wanted } = query;
    const named = name === undefined ? lift(this.#source) : await liftNamed(this.#source, name);
    const source = named === undefined ? scope(lift(this.#source), []) : scope(named, tenants);
    const known = await source.revision(options);
    const same = unchanged(known, options);
    if (same !== undefined) return same;

    const { texts, nextCursor, fingerprint, counts, warnings } = await makePage(
      source,
      wanted,
      after,
      options,
      this.#priced,
    );
    const revision = known ?? revisionInScope(tenants, fingerprint);
    const list = { isUnchanged: false, revision, texts: inTurn(texts), warnings } as const;
    return unchanged(revision, options) ?? (limit === undefined ? list : { ...list, nextCursor, counts });
  }
}

async function makePage(
  source: SessionSource,
  { window, filter: _filter, zone: _zone, ...filters }: Omit<SessionQuery, "tenants" | "source">,
  after: SessionSortKey | undefined,
  options: ListOptions,
  pricedSessions: PricedSessions,
): Promise<Page> {
  // One more than the page has, where there is one more.
  const limit = window?.limit === undefined ? undefined : window.limit + 1;
  const {
    items: found,
    total,
    unread,
    warnings = [],
  } = await source.findSessions({ ...filters, after, limit }, options);
  const end = Math.min(found.length, window?.limit ?? found.length);
  const nextCursor = end < found.length ? cursorBehind(found[end - 1]) : null;
  const texts: Uint8Array[] = [];
  const fingerprint = new ByteFingerprint();
  const priced = await pricedSessions.of(found.slice(0, end), options);
  for await (const text of textsOf(streamOf(priced), { from: 0, to: end }, options)) {
    texts.push(text);
    fingerprint.add(text); // here, because the event loop turns between two batches
  }
  const rest = longFingerprint(JSON.stringify([nextCursor, total, unread, warnings]));
  return {
    texts,
    nextCursor,
    counts: { total, unread },
    warnings,
    fingerprint: fingerprint.toString() + rest,
  };
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
