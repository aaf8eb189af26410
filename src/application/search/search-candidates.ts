import { idProblem } from "../../domain/session/ids.js";
import { InvalidRequestError } from "../errors.js";
import type { RecordSearch, RecordSearchPage, SearchCandidate } from "../ports/record-search.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SessionKey } from "../ports/session-store.js";
import { type Meant, notesOn } from "./meant-sessions.js";
import type { SearchRequest } from "./search-answer.js";
import type { SearchNotes } from "./search-notes.js";
import type { SearchReadOptions } from "./search-read-options.js";

const NOT_NAMED = "Sessions whose ids are none, such as those with a path in them, are not searched.";

/** How many candidates are asked for at a time: few, because those that are there are searched before more are looked for. */
const CANDIDATES = 16;

/** How many of a source that makes its whole list each time: more than an answer gets through. */
const LISTED_CANDIDATES = 1_000;

/** A session that may hold what is looked for, and whether it was asked for. */
export interface AskedCandidate extends SearchCandidate {
  readonly isAskedFor: boolean;
}

interface CandidatesPage extends RecordSearchPage {
  readonly candidates: readonly AskedCandidate[];
}

interface CandidateParts {
  /** Held to the caller's scope. */
  readonly source: SessionSource;
  readonly request: SearchRequest;
  /** Which sessions the filter means. Default is all. */
  readonly meant?: Meant | undefined;
  readonly options: SearchReadOptions;
}

/** The sessions that one answer of a search looks at, as its source names them. */
export class SearchCandidates {
  readonly #source: SessionSource;
  readonly #request: SearchRequest;
  readonly #meant: Meant | undefined;
  readonly #notes: SearchNotes;
  readonly #options: SearchReadOptions;

  constructor({ source, request, meant, options }: CandidateParts, notes: SearchNotes) {
    this.#source = source;
    this.#request = request;
    this.#meant = meant;
    this.#notes = notes;
    this.#options = options;
    if (meant !== undefined) notes.add(notesOn(meant));
  }

  /** A cursor that was made up may name any session, and a source may give any. */
  isAskedFor({ tenantId, sessionId }: SessionKey): boolean {
    const request = this.#request;
    return (
      (this.#meant?.has({ tenantId, sessionId }) ?? true) &&
      (request.tenantId === undefined || tenantId === request.tenantId) &&
      (request.sessionId === undefined || sessionId === request.sessionId)
    );
  }

  /**
   * The next ones behind a place.
   *
   * @param limit how many at most. Default is as many as are searched one after the other
   * @param hasFound whether the answer holds something already
   * @returns `undefined` where that fails and the answer holds something: the next one will say so
   */
  async behind(
    after: string | undefined,
    { limit = CANDIDATES, ...how }: Pick<RecordSearch, "budgetMs" | "countsMatches"> & { limit?: number },
    hasFound: boolean,
  ): Promise<CandidatesPage | undefined> {
    const { query, tenantId, sessionId } = this.#request;
    const most = this.#source.capabilities.searchesRecords ? limit : LISTED_CANDIDATES;
    const search = { query, tenantId, sessionId, after, limit: most, ...how };
    try {
      const page = await this.#source.findCandidates(search, this.#options);
      this.#notes.add(page.notes);
      const candidates = page.candidates.map((candidate) => ({
        ...candidate,
        isAskedFor: this.isAskedFor(candidate) && this.#canBeNamed(candidate),
      }));
      return { ...page, candidates };
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!hasFound || error instanceof InvalidRequestError) throw error;
      return undefined;
    }
  }

  /** No cursor names a session whose ids are none, so that a search that was broken off in it could not go on. */
  #canBeNamed(key: SessionKey): boolean {
    const hasIds = [key.tenantId, key.sessionId].every((id) => idProblem(id) === undefined);
    if (!hasIds) this.#notes.add([NOT_NAMED]);
    return hasIds;
  }
}
