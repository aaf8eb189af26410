import { labelOf } from "../../domain/json/json.js";
import { compareSessions, type InspectorSessionItem } from "../../domain/session/session.js";
import { sortByRuns } from "../../domain/trace/sort-by-runs.js";
import type { InspectorDataSource, SessionPage, SessionSearch } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { runInSlices } from "../threads/slices.js";
import { checkedList, checkedPage } from "./checked-snapshot.js";

const ITEMS_PER_PAUSE = 256;

/** Up to how many sessions a page is picked out; of a longer one all that match are sorted. */
const SHORT_PAGE = 2_000;

/** The sessions that match a search, found by the source or picked out of its list. */
export async function findSessions(
  source: InspectorDataSource,
  search: SessionSearch,
  options: ReadOptions,
): Promise<SessionPage> {
  if (source.findSessions !== undefined) return checkedPage(await source.findSessions(search, options));
  const sessions = checkedList(await source.listSessions(options), "listSessions");
  return { items: await runInSlices(selectSessions(sessions, search), options.signal) };
}

/** The sessions that match a search, in the order of the list. A generator, so that many sessions do not stop the process. */
export function* selectSessions<Item extends InspectorSessionItem>(
  sessions: readonly Item[],
  search: SessionSearch,
): Generator<void, Item[]> {
  const { limit } = search;
  const matches = matcherOf(search);
  const page =
    limit !== undefined && limit <= SHORT_PAGE ? new FirstOnes<Item>(limit, compareSessions) : undefined;
  const found: Item[] = [];
  for (const [i, session] of sessions.entries()) {
    if (matches(session)) {
      if (page === undefined) found.push(session);
      else page.add(session);
    }
    if (i % ITEMS_PER_PAUSE === ITEMS_PER_PAUSE - 1) yield;
  }
  if (page !== undefined) return page.items;
  const order = new Uint32Array(found.length).map((_, i) => i);
  yield* sortByRuns(order, (a, b) => compareSessions(found[a]!, found[b]!) || a - b);
  const sorted: Item[] = [];
  for (const position of limit === undefined ? order : order.subarray(0, limit)) {
    sorted.push(found[position]!);
    if (sorted.length % ITEMS_PER_PAUSE === 0) yield;
  }
  return sorted;
}

/** The first few of many, in order. */
export class FirstOnes<Item> {
  readonly items: Item[] = [];
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;

  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** How many more there is room for. */
  get room(): number {
    return this.#limit - this.items.length;
  }

  add(item: Item): void {
    const { items } = this;
    if (this.room === 0 && (items.length === 0 || this.#compare(item, items.at(-1)!) >= 0)) return;
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(item, items[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    items.splice(low, 0, item);
    if (items.length > this.#limit) items.pop();
  }
}

/** Whether a session is one that a search asks for, wherever its page ends. */
export function matcherOf({
  tenantId,
  tenants,
  sessionId,
  userId,
  status,
  text,
  after,
}: SessionSearch): (session: InspectorSessionItem) => boolean {
  const wanted = text?.toLowerCase();
  const wantedTenants = tenants && new Set(tenants);
  return (session) =>
    (after === undefined || compareSessions(session, after) > 0) &&
    (tenantId === undefined || session.tenantId === tenantId) &&
    (wantedTenants === undefined || wantedTenants.has(session.tenantId)) &&
    (sessionId === undefined || session.sessionId === sessionId) &&
    (userId === undefined || session.userId === userId) &&
    (status === undefined || session.status === status) &&
    (wanted === undefined ||
      [session.sessionId, session.userId, session.title].some((field) =>
        labelOf(field)?.toLowerCase().includes(wanted),
      ));
}
