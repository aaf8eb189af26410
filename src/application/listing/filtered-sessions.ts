import { matchSession } from "../../domain/filter/match-session.js";
import { needsOf, type SessionFilter } from "../../domain/filter/session-filter.js";
import { isPause } from "../../domain/lists/is-pause.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import type { SessionPage, SessionSearch } from "../ports/inspector-data-source.js";
import type { ReadOptions, RecordWarning } from "../ports/record-stream.js";
import { isLocal, type SessionSource } from "../ports/session-source.js";
import { PricedSessions } from "../pricing/call-pricing.js";
import { runInSlices } from "../threads/slices.js";
import { SessionFactsReader } from "./session-facts-reader.js";

export interface FilteredSearch extends Omit<SessionSearch, "filter" | "withFacts"> {
  readonly filter: SessionFilter;
  /** True to return facts even if the filter does not need them. Default is false. */
  readonly withFacts?: boolean | undefined;
}

export interface FilteredPage extends Omit<SessionPage, "items"> {
  readonly items: readonly ListedSession[];
  readonly undecided: number;
  readonly hasMore: boolean;
  /** The last examined session, if it is after the page and did not match: the next page starts after it. */
  readonly lookedTo?: ListedSession | undefined;
}

/**
 * For a store over a network. The first request has the size of the page, because most stores filter by themselves; later requests are
 * larger.
 */
const BATCH_SIZE = 1_000;
const GROWTH = 4;
const MOST_PAGES = 20;

const BUDGET_MS = 300;

/**
 * A source on this machine returns its full list, as far as it is read. A store over a network returns page after page of the sessions
 * that it does not filter out.
 */
export class FilteredSessions {
  readonly #priced: PricedSessions;
  readonly #facts: SessionFactsReader;

  /** @param facts default reads on the host's own event loop, in slices */
  constructor(priced = new PricedSessions(), facts = new SessionFactsReader()) {
    this.#priced = priced;
    this.#facts = facts;
  }

  async find(source: SessionSource, search: FilteredSearch, options: ReadOptions): Promise<FilteredPage> {
    return isLocal(source)
      ? await this.#findHere(source, search, options)
      : await this.#findThere(source, search, options);
  }

  async #findHere(
    source: SessionSource,
    { limit = Number.POSITIVE_INFINITY, ...search }: FilteredSearch,
    options: ReadOptions,
  ): Promise<FilteredPage> {
    const page = await source.findSessions({ ...search, ...factsWanted(search) }, options);
    const { matching, undecided, unread, warnings } = await this.#matching(
      source,
      page.items,
      search,
      options,
    );
    return {
      ...page,
      warnings: [...(page.warnings ?? []), ...warnings],
      items: matching.slice(0, limit),
      undecided,
      hasMore: matching.length > limit,
      unread: page.unread === undefined && unread === 0 ? undefined : (page.unread ?? 0) + unread,
    };
  }

  async #findThere(
    source: SessionSource,
    { limit = Number.POSITIVE_INFINITY, after, ...search }: FilteredSearch,
    options: ReadOptions,
  ): Promise<FilteredPage> {
    const items: ListedSession[] = [];
    const isComplete = limit === Number.POSITIVE_INFINITY;
    let atATime = Math.min(limit + 1, BATCH_SIZE);
    let undecided = 0;
    let from = after;
    for (let pages = 1; ; pages++) {
      const page = await source.findSessions(
        { ...search, after: from, limit: isComplete ? undefined : atATime },
        options,
      );
      const next = await this.#matching(source, page.items, search, options);
      items.push(...next.matching);
      undecided += next.undecided;
      const last = page.items.at(-1);
      const isOver = last === undefined || isComplete || page.items.length < atATime;
      if (isOver || items.length > limit || pages === MOST_PAGES) {
        const isCut = items.length > limit;
        const hasMore = isCut || !isOver;
        return {
          ...page,
          items: items.slice(0, limit),
          undecided,
          hasMore,
          lookedTo: isCut || isOver ? undefined : last,
        };
      }
      from = last;
      atATime = Math.min(atATime * GROWTH, BATCH_SIZE);
    }
  }

  /** First applies the conditions that cost nothing, so that few sessions are left for the others. */
  async #matching(
    source: SessionSource,
    sessions: readonly ListedSession[],
    search: Pick<FilteredSearch, "filter" | "withFacts" | "budgetMs">,
    options: ReadOptions,
  ): Promise<{
    readonly matching: readonly ListedSession[];
    readonly undecided: number;
    readonly unread: number;
    readonly warnings: readonly RecordWarning[];
  }> {
    const { filter, withFacts = false, budgetMs = BUDGET_MS } = search;
    const needs = needsOf(filter);
    const matches = matchSession(filter);
    const { signal } = options;
    const possible = await runInSlices(without(false, sessions, matches), signal);
    const priced = needs.has("cost") ? await this.#priced.withCosts(possible, options) : possible;
    const candidates = needs.has("cost")
      ? await runInSlices(without(false, priced, matches), signal)
      : priced;
    const { items, unread, warnings } =
      withFacts || needs.has("facts")
        ? await this.#facts.withFacts(source, candidates, budgetMs, options)
        : { items: candidates, unread: 0, warnings: [] };
    const decided = await runInSlices(without(undefined, items, matches), signal);
    const matching = await runInSlices(without(false, decided, matches), signal);
    const undecided = items.length - decided.length;
    return { matching, undecided, unread, warnings };
  }
}

function* without(
  result: false | undefined,
  sessions: readonly ListedSession[],
  matches: (session: ListedSession) => boolean | undefined,
): Generator<void, ListedSession[]> {
  const left: ListedSession[] = [];
  for (const [i, session] of sessions.entries()) {
    if (matches(session) !== result) left.push(session);
    if (isPause(i)) yield;
  }
  return left;
}

function factsWanted({ filter, withFacts = false, budgetMs = BUDGET_MS }: FilteredSearch) {
  return { withFacts: withFacts || needsOf(filter).has("facts"), budgetMs };
}
