import type { SessionFacts } from "../../../domain/facts/session-facts.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY, SIZE } from "../bytes/file-identities.js";
import type { EstimatedSession } from "./newest-sessions.js";

export interface CataloguedLocation extends SessionKey {
  /** Unexpected error before any of its files was summarised. */
  readonly fault?: string | undefined;
}

export interface CatalogSummary {
  /** Last activity, in milliseconds since the epoch; `undefined` if its files do not state it. */
  readonly newest: number | undefined;
  /** Last write to its files. */
  readonly touched: number;
  /** False if a part is unread: the next list tries again. */
  readonly isComplete: boolean;
  readonly fault?: string | undefined;
  /** Message about an exceeded limit, and the remedy. */
  readonly unread?: string | undefined;
}

export interface LocatedSession<Place extends CataloguedLocation> {
  readonly place: Place;
  /** Identities at the lookup; the session's own files come first. */
  readonly identity: Float64Array;
  readonly ownFiles: number;
}

/** State of a session's files at the lookup, and their summary while they stay the same. */
export class CataloguedSession<
  Place extends CataloguedLocation = CataloguedLocation,
  Summary extends CatalogSummary = CatalogSummary,
> implements EstimatedSession
{
  readonly place: Place;
  readonly identity: Float64Array;
  readonly #ownFiles: number;
  isRefined: boolean;
  /** True after a lookup in the cache. */
  isRecalled = false;
  areFactsRecalled = false;
  /** `undefined` before a request; `null` if no source provides it. */
  facts: SessionFacts | null | undefined;
  /** For a reading that continues from the earlier files. */
  previous: Summary | undefined;
  #summary: Summary | null | undefined;
  #estimate: number;

  /**
   * @param before the same session with other files
   * @param isRefined true if only a full reading can improve the estimate
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

  /** `null` if its files are gone. */
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
   * Counts existing files, without other sessions' files.
   * @param isCounted filter by the number of a file
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

  /** Milliseconds since the epoch; 0 for an absent or unreadable file. */
  modifiedAt(file: number): number {
    return Math.max(0, this.identity[file * NUMBERS_PER_IDENTITY + MODIFIED_AT] || 0);
  }

  /** @param newest newest instant in the ends of its files; `NaN` without one */
  refine(newest: number): void {
    if (!Number.isNaN(newest)) this.#estimate = newest;
    this.isRefined = true;
  }

  /** True: a new reading is unnecessary until its files change. */
  get isSettled(): boolean {
    return !this.isGone && this.#summary?.isComplete !== false;
  }

  /** `NaN` is an absent file. */
  isUpToDate(identity: Float64Array): boolean {
    if (!this.isSettled) return false;
    const own = this.identity;
    return own.length === identity.length && own.every((value, i) => Object.is(value, identity[i]));
  }
}
