import { idProblem } from "../../domain/session/ids.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { InvalidRequestError } from "../errors.js";
import type { RecordSearch, RecordSearchPage, SearchCandidate } from "../ports/record-search.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SearchRequest } from "./search-answer.js";
import type { SearchNotes } from "./search-notes.js";
import type { SearchReadOptions } from "./search-read-options.js";
import { notesOn, type Selection } from "./selected-sessions.js";

const NOT_NAMED = "Sessions with invalid ids, such as ids with a path, are not searched.";

/** Small, because available candidates are searched before the next request. */
const CANDIDATES = 16;

/** For a source that builds its complete list each time: more than an answer can search. */
const LISTED_CANDIDATES = 1_000;

export interface RequestedCandidate extends SearchCandidate {
  readonly isRequested: boolean;
}

interface CandidatesPage extends RecordSearchPage {
  readonly candidates: readonly RequestedCandidate[];
}

interface CandidateParts {
  readonly source: SessionSource;
  readonly request: SearchRequest;
  readonly selection?: Selection | undefined;
  readonly options: SearchReadOptions;
}

export class SearchCandidates {
  readonly #source: SessionSource;
  readonly #request: SearchRequest;
  readonly #selection: Selection | undefined;
  readonly #notes: SearchNotes;
  readonly #options: SearchReadOptions;

  constructor({ source, request, selection, options }: CandidateParts, notes: SearchNotes) {
    this.#source = source;
    this.#request = request;
    this.#selection = selection;
    this.#notes = notes;
    this.#options = options;
    if (selection !== undefined) notes.add(notesOn(selection));
  }

  /** An invented cursor may name any session, and a source may return any. */
  isRequested({ tenantId, sessionId }: SessionKey): boolean {
    const request = this.#request;
    return (
      (this.#selection?.has({ tenantId, sessionId }) ?? true) &&
      (request.tenantId === undefined || tenantId === request.tenantId) &&
      (request.sessionId === undefined || sessionId === request.sessionId)
    );
  }

  /**
   * @param limit default is the number that is searched one after the other
   * @param hasHits true if the answer already has hits
   * @returns `undefined` after a failure if the answer already has hits: the next answer reports it
   */
  async behind(
    after: string | undefined,
    { limit = CANDIDATES, ...how }: Pick<RecordSearch, "budgetMs" | "countsMatches"> & { limit?: number },
    hasHits: boolean,
  ): Promise<CandidatesPage | undefined> {
    const { query, tenantId, sessionId } = this.#request;
    const most = this.#source.capabilities.searchesRecords ? limit : LISTED_CANDIDATES;
    const search = { query, tenantId, sessionId, after, limit: most, ...how };
    try {
      const page = await this.#source.findCandidates(search, this.#options);
      this.#notes.add(page.notes);
      const candidates = page.candidates.map((candidate) => ({
        ...candidate,
        isRequested: this.isRequested(candidate) && this.#canBeNamed(candidate),
      }));
      return { ...page, candidates };
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!hasHits || error instanceof InvalidRequestError) throw error;
      return undefined;
    }
  }

  /** A cursor cannot name a session with invalid ids, so a search could not continue in it. */
  #canBeNamed(key: SessionKey): boolean {
    const hasIds = [key.tenantId, key.sessionId].every((id) => idProblem(id) === undefined);
    if (!hasIds) this.#notes.add([NOT_NAMED]);
    return hasIds;
  }
}
