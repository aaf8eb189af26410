import type { SessionFacts } from "../../../domain/facts/session-facts.js";
import type { SessionSortKey } from "../../../domain/session/session.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY, SIZE } from "../bytes/file-identities.js";
import type { EstimatedSession } from "./newest-sessions.js";

export interface CataloguedLocation extends Pick<SessionSortKey, "tenantId" | "sessionId"> {
  /** An unexpected error before any of its files was summarised. */
  readonly fault?: string | undefined;
}

/** Facts that the catalog needs about a strategy's summary of a session's files. */
export interface CatalogSummary {
  /** When it was active last, in milliseconds since the epoch; `undefined` where nothing in its files says that. */
  readonly newest: number | undefined;
  /** When its files were last written to. */
  readonly touched: number;
  /** False where there is more to read than was read, or can be read now: the next list tries again. */
  readonly isComplete: boolean;
  readonly fault?: string | undefined;
  /** Why it is not read, or not all of it: which bound it exceeds, and what to do. */
  readonly unread?: string | undefined;
}

/** A place, and the files that its summary is made of. */
export interface LocatedSession<Place extends CataloguedLocation> {
  readonly place: Place;
  /** The identities of its files as they were looked up: its own ones come first. */
  readonly identity: Float64Array;
  /** Number of these files that belong to the session itself. */
  readonly ownFiles: number;
}

/** A session as its files were when they were looked up, and their summary as long as they are the same. */
export class CataloguedSession<
  Place extends CataloguedLocation = CataloguedLocation,
  Summary extends CatalogSummary = CatalogSummary,
> implements EstimatedSession
{
  readonly place: Place;
  readonly identity: Float64Array;
  readonly #ownFiles: number;
  isRefined: boolean;
  /** True if its summary was requested from a cache. */
  isRecalled = false;
  /** True if its activity was requested from a cache, too. */
  areFactsRecalled = false;
  /** Its activity, after a request for it; `null` if no source provides it. */
  facts: SessionFacts | null | undefined;
  /** Summary of the same session with other files, for a reading that continues from there. */
  previous: Summary | undefined;
  #summary: Summary | null | undefined;
  #estimate: number;

  /**
   * @param before the same session with other files
   * @param isRefined true if only reading it gives a better time of its last activity than the last write to its files
   */
  constructor(
    { place, identity, ownFiles }: LocatedSession<Place>,
    before: CataloguedSession<Place, Summary> | undefined,
    isRefined: boolean,
  ) {
    this.isRefined = isRefined;
    this.place = place;
    this.identity = identity.slice();
    this.#ownFiles = ownFiles;
    this.previous = before?.summary ?? before?.previous;
    this.#estimate = 0;
    for (let i = 0; i < ownFiles; i++) this.#estimate = Math.max(this.#estimate, this.modifiedAt(i));
  }

  get tenantId(): string {
    return this.place.tenantId;
  }

  get sessionId(): string {
    return this.place.sessionId;
  }

  /** Summary of its files; `null` if they turned out to be gone. */
  get summary(): Summary | null | undefined {
    return this.#summary;
  }

  set summary(summary: Summary | null | undefined) {
    this.#summary = summary;
    if (summary !== undefined) this.previous = undefined;
  }

  get fault(): string | undefined {
    return this.place.fault ?? this.#summary?.fault;
  }

  get isRead(): boolean {
    return this.#summary !== undefined;
  }

  get isGone(): boolean {
    return this.#summary === null;
  }

  get estimate(): number {
    return this.#summary ? (this.#summary.newest ?? this.#summary.touched) : this.#estimate;
  }

  get bytes(): number {
    let bytes = 0;
    for (let i = SIZE; i < this.identity.length; i += NUMBERS_PER_IDENTITY)
      bytes += Math.max(0, this.identity[i] || 0);
    return bytes;
  }

  /**
   * Returns the number and the total size of the session's existing files, without other sessions' files.
   *
   * @param isCounted returns true if a file is to be counted, by its number
   */
  ownExtent(isCounted: (file: number) => boolean): { readonly files: number; readonly bytes: number } {
    let files = 0;
    let bytes = 0;
    for (let i = 0; i < this.#ownFiles; i++) {
      const size = this.identity[i * NUMBERS_PER_IDENTITY + SIZE]!;
      if (!(size >= 0) || !isCounted(i)) continue;
      files++;
      bytes += size;
    }
    return { files, bytes };
  }

  /** When a file was written to, in milliseconds since the epoch; 0 where it is not there, or cannot be looked up. */
  modifiedAt(file: number): number {
    return Math.max(0, this.identity[file * NUMBERS_PER_IDENTITY + MODIFIED_AT] || 0);
  }

  /** @param newest the newest instant in the ends of its files; `NaN` where they hold none */
  refine(newest: number): void {
    if (!Number.isNaN(newest)) this.#estimate = newest;
    this.isRefined = true;
  }

  /** True if it need not be read again until its files change. */
  get isSettled(): boolean {
    return !this.isGone && this.#summary?.isComplete !== false;
  }

  /** True if it is current for files with these identities. `NaN` means that a file is absent. */
  isUpToDate(identity: Float64Array): boolean {
    if (!this.isSettled) return false;
    const own = this.identity;
    return own.length === identity.length && own.every((value, i) => Object.is(value, identity[i]));
  }
}
