import { faultText } from "../../application/errors.js";
import type { SessionPlace } from "../../domain/session/session.js";
import { type DescribedItem, type SessionFacts, sessionItem } from "../../domain/session/session-log.js";
import { instantOf } from "../../domain/trace/instant.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import type { FoundPlace } from "../files/catalog/newest-sessions.js";
import { LISTED, type ReadSession, UNREADABLE } from "./read-sessions.js";

/** Where a session lies. */
export interface SessionFolder extends Pick<SessionPlace, "tenantId" | "sessionId"> {
  readonly folder: string;
}

/** How many numbers identify a session: the identities of its folder and of its files. */
export const IDENTITY = LISTED * NUMBERS_PER_IDENTITY;

/** A session as its folder and its files were when they were looked up, and what is known of it as long as they are the same. */
export class KnownSession implements FoundPlace {
  readonly place: SessionFolder;
  readonly identity: readonly number[];
  /** Where the reading of its log ended. */
  logEnd: ReadSession["logEnd"];
  /** What was counted of its model calls. */
  counted: ReadSession["counted"];
  /** A closer look at the ends of its files would cost what reading it costs. */
  readonly isRefined = true;
  isGone = false;
  /** What went wrong that nobody expected, while it was read or described. */
  fault: string | undefined;
  #item: DescribedItem | undefined;
  /** What the item was made of, where it changes with the clock. */
  #read: ReadSession | undefined;
  #isComplete = true;

  /** @param before the same session with other files, of which the reading goes on */
  constructor(place: SessionFolder, identity: readonly number[], before: KnownSession | undefined) {
    this.place = place;
    this.identity = identity;
    this.logEnd = before?.logEnd;
    this.counted = before?.counted;
  }

  get tenantId(): string {
    return this.place.tenantId;
  }

  get sessionId(): string {
    return this.place.sessionId;
  }

  get isRead(): boolean {
    return this.#item !== undefined || this.isGone;
  }

  get estimate(): number {
    if (this.#item !== undefined) return instantOf(this.#item.lastActive) ?? 0;
    const times = Array.from({ length: LISTED }, (_, i) => this.#modifiedAt(i));
    return Math.max(0, ...times);
  }

  /** Whether what is known of it is true of files that look like this. `NaN` means that a file is not there. */
  isUpToDate(identity: Float64Array): boolean {
    if (this.isGone || !this.#isComplete) return false;
    return this.identity.every((value, i) => Object.is(value, identity[i]));
  }

  /** @param read nothing where it could not be read: then there is nothing to list of it */
  learn(read: ReadSession | undefined, now: number): void {
    // Its folder is gone, or nothing can be said of it: the next list tries again.
    this.isGone = read === undefined || !(this.identity[0]! >= 0);
    if (this.isGone || read === undefined) return;
    this.fault = read.fault;
    this.#item = this.#itemOf(read.facts, now);
    this.#isComplete = read.isComplete;
    this.logEnd = read.logEnd;
    this.counted = read.counted;
    // Thousands of sessions take memory, and only a running one changes with the clock.
    this.#read = this.#item.status === "running" ? read : undefined;
  }

  /** No error of one session fails the list. */
  #itemOf(facts: SessionFacts, now: number): DescribedItem {
    const modifiedAt = Math.floor(this.#modifiedAt(0));
    try {
      return sessionItem(this.place, facts, modifiedAt, now);
    } catch (error) {
      this.fault = faultText(error);
      return sessionItem(this.place, UNREADABLE, modifiedAt, now);
    }
  }

  /** It as an element of the list. */
  describe(now: number): DescribedItem {
    if (this.#read !== undefined) this.learn(this.#read, now);
    return this.#item!;
  }

  /** When its folder or a file was last written to; 0 where it is not there, or cannot be looked up. */
  #modifiedAt(index: number): number {
    return Math.max(0, this.identity[index * NUMBERS_PER_IDENTITY + MODIFIED_AT] || 0);
  }
}
