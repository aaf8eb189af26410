import { labelOf } from "../../domain/json/json.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { isLocal } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";
import type { RecordPosition } from "../records/record-position.js";
import { BEGINNING } from "../records/session-records.js";
import type { ReadingPace } from "./reading-pace.js";
import { type RequestedCandidate, SearchCandidates } from "./search-candidates.js";
import type { SearchCursor, SessionCursor } from "./search-cursor.js";
import { orLeftOut, SearchNotes } from "./search-notes.js";
import { LEAST_MS, type SearchedSoFar, type SearchParts } from "./search-run.js";
import { visitSession } from "./search-visit.js";
import { SessionEvidence, VISIBLE_HITS } from "./session-evidence.js";
import type { SessionWithHits } from "./session-search-answer.js";

/** Parallel readings: on this machine enough that no thread waits, over a network the usual number of parallel requests. */
const AT_ONCE = { here: 4, remote: 8 };

/** Sessions with time to be read per answer, if each takes at most its share of the minimum time. */
const READ_SESSIONS = 20;

const COUNTING_MS = 50;

const COUNTED_HITS = 10_000;

type Outcome =
  | { readonly is: "hit"; readonly session: SessionWithHits }
  | { readonly is: "without" }
  | { readonly is: "left"; readonly place: RecordPosition };

/**
 * One answer of a search of sessions. If the source counted lines, it reads as many sessions as time permits, and returns the others with
 * their count alone. Otherwise it reads each session until the first match.
 */
export class SessionSearchRun {
  readonly sessions: SessionWithHits[] = [];
  readonly #notes = new SearchNotes();
  readonly #parts: SearchParts;
  readonly #candidates: SearchCandidates;
  readonly #pace: ReadingPace;
  readonly #atOnce: number;
  #hasGotOn = false;

  constructor(parts: SearchParts, pace: ReadingPace) {
    this.#parts = parts;
    this.#pace = pace;
    this.#candidates = new SearchCandidates(parts, this.#notes);
    this.#atOnce = isLocal(parts.source) ? AT_ONCE.here : AT_ONCE.remote;
  }

  get notes(): readonly string[] {
    return this.#notes.sentences;
  }

  async from(begin: SearchCursor): Promise<SearchedSoFar> {
    const end = await this.#goOn(begin);
    await this.#describe();
    return end;
  }

  async #goOn({ after, within }: SearchCursor): Promise<SearchedSoFar> {
    const { request, time } = this.#parts;
    let extents: Pick<SearchedSoFar, "searched" | "total"> = { searched: {}, total: {} };
    if (within !== undefined && this.#candidates.isRequested(within)) {
      extents = { searched: within.before, total: within.total };
      const outcome = await this.#read(within, within.place, undefined, Number.POSITIVE_INFINITY);
      const next = this.#take(outcome, within, after);
      if (next !== undefined) return { next, ...extents };
    }
    for (;;) {
      if (this.#isOver()) return { next: { after }, ...extents };
      const begun = time.now();
      const page = await this.#candidates.behind(
        after,
        {
          limit: request.limit - this.sessions.length,
          budgetMs: Math.max(0, time.leftMs() - LEAST_MS),
          countsMatches: true,
        },
        this.sessions.length > 0,
      );
      if (page === undefined) return { next: { after }, ...extents };
      const until = time.now() + this.#readingMs(time.now() - begun);
      const { total, candidates } = page;
      for (let at = 0; at < candidates.length; at += this.#atOnce) {
        const some = candidates.slice(at, at + this.#atOnce);
        const outcomes = await Promise.all(some.map((one) => this.#outcomeOf(one, until)));
        for (const [i, candidate] of some.entries()) {
          const outcome = outcomes[i];
          if (this.sessions.length >= request.limit || outcome === undefined)
            return { next: { after }, searched: candidate.before, total };
          const { before } = candidate;
          const next = this.#take(outcome, { ...candidate, before, total }, candidate.place);
          if (next !== undefined) return { next, searched: before, total };
          after = candidate.place;
        }
      }
      extents = { searched: page.searched, total };
      if (page.next === undefined) return { next: undefined, ...extents };
      after = page.next;
      this.#hasGotOn = true;
    }
  }

  async #describe(): Promise<void> {
    const { source, time, options } = this.#parts;
    const wanted = [...this.sessions.entries()].filter(([, { hits }]) => hits.length > 0);
    for (let at = 0; at < wanted.length && time.leftMs() > 0; at += this.#atOnce) {
      const describe = async ([i, session]: [number, SessionWithHits]) => {
        const { tenantId, sessionId } = session;
        const { items } = await source.findSessions({ tenantId, sessionId, limit: 1 }, options);
        const [item] = items;
        if (item?.sessionId !== sessionId || item.tenantId !== tenantId) return;
        const title = labelOf(item.title);
        const { lastActive } = item;
        this.sessions[i] = { ...session, ...(title === undefined ? {} : { title }), lastActive };
      };
      // A failure of the list must not lose the hits.
      await Promise.allSettled(wanted.slice(at, at + this.#atOnce).map(describe));
      options.signal?.throwIfAborted();
    }
  }

  /**
   * In milliseconds: half of the time of the source's search, so that a search of all sessions is not much longer. For few sessions,
   * about the time to read them.
   */
  #readingMs(lookedMs: number): number {
    const { request, time } = this.#parts;
    const least = LEAST_MS * Math.min(1, READ_SESSIONS / request.limit);
    return Math.max(least, Math.min(lookedMs / 2, time.leftMs()));
  }

  #isOver(): boolean {
    const { request, time } = this.#parts;
    return this.sessions.length >= request.limit || (this.#hasGotOn && time.leftMs() === 0);
  }

  /** @returns the position of the next answer in a partly read session */
  #take(
    outcome: Outcome,
    { tenantId, sessionId, before, total }: Omit<SessionCursor, "place">,
    after: string | undefined,
  ): SearchCursor | undefined {
    this.#hasGotOn = true;
    if (outcome.is === "hit") this.sessions.push(outcome.session);
    if (outcome.is !== "left") return undefined;
    return { after, within: { tenantId, sessionId, place: outcome.place, before, total } };
  }

  /** @returns `undefined` without time to read it */
  async #outcomeOf(candidate: RequestedCandidate, until: number): Promise<Outcome | undefined> {
    const { time } = this.#parts;
    const { isRequested, matches, bytes = 0 } = candidate;
    if (!isRequested) return { is: "without" };
    if (matches === undefined)
      return this.#isOver() ? undefined : await this.#read(candidate, BEGINNING, undefined, until);
    const begun = time.now();
    if (begun + this.#pace.msFor(bytes) > until)
      return { is: "hit", session: withHits(candidate, new SessionEvidence(), matches, false) };
    const outcome = await this.#read(candidate, BEGINNING, matches, until);
    this.#pace.add(bytes, time.now() - begun);
    return outcome;
  }

  /** @param until time limit for a session that is part of the answer in any case */
  async #read(
    key: SessionKey,
    from: RecordPosition,
    matches: number | undefined,
    until: number,
  ): Promise<Outcome> {
    const { source, time, options } = this.#parts;
    const evidence = new SessionEvidence();
    const begun = time.now();
    let batches = 0;
    const isLeft = () => {
      if (batches === 0) return false;
      if (matches !== undefined) return evidence.hits.length >= VISIBLE_HITS || time.now() >= until;
      if (evidence.hits.length > 0) return time.now() - begun >= COUNTING_MS;
      return time.leftMs() === 0;
    };
    const search = async () => {
      const session = await openSession(source, key, options);
      return {
        place: await visitSession(session, key, from, this.#parts, {
          bounds: () =>
            isLeft()
              ? undefined
              : { most: matches === undefined ? COUNTED_HITS : VISIBLE_HITS, budgetMs: LEAST_MS },
          take: (hits, faults) => {
            batches++;
            this.#notes.addFaults(key, faults);
            evidence.add(hits);
          },
        }),
      };
    };
    const undo = () => {
      batches = 0;
      evidence.clear();
    };
    const end = await orLeftOut(key, search, { notes: this.#notes, isNamed: false, options, undo });
    if (end === undefined) return { is: "without" };
    const { place } = end;
    const isComplete = place === undefined && from === BEGINNING;
    if (evidence.hits.length > 0 || (place !== undefined && matches !== undefined))
      return { is: "hit", session: withHits(key, evidence, matches, isComplete) };
    return place === undefined ? { is: "without" } : { is: "left", place };
  }
}

function withHits(
  { tenantId, sessionId }: SessionKey,
  evidence: SessionEvidence,
  matches: number | undefined,
  isComplete: boolean,
): SessionWithHits {
  return { tenantId, sessionId, ...evidence.count(matches, isComplete), hits: evidence.hits };
}
