import { MODIFIED_AT, NUMBERS_PER_IDENTITY, SIZE } from "../files/bytes/file-identities.js";
import type { FoundPlace } from "../files/catalog/newest-sessions.js";
import type { DatedFile } from "./newest-in-tails.js";
import type { TranscriptSummary } from "./session-summary.js";
import type { FoundSession } from "./transcript-files.js";

/** A session as its files were when they were looked up, and what is known of it as long as they are the same. */
export class SeenTranscript implements FoundPlace {
  readonly session: FoundSession;
  /** Of its files, and of its relatives'. */
  readonly identity: Float64Array;
  /** What its files sum up to; `null` where they turned out to be gone. */
  summary: TranscriptSummary | null | undefined;
  isRefined = false;
  /** Whether a cache was asked for its summary. */
  isRecalled = false;
  #estimate: number;

  constructor(session: FoundSession, identity: Float64Array) {
    this.session = session;
    this.identity = identity;
    this.#estimate = this.files.reduce((newest, { modifiedAt }) => Math.max(newest, modifiedAt), 0);
  }

  get tenantId(): string {
    return this.session.tenantId;
  }

  get sessionId(): string {
    return this.session.sessionId;
  }

  /** What went wrong with it that nobody expected. */
  get fault(): string | undefined {
    return this.session.fault ?? this.summary?.fault;
  }

  get isRead(): boolean {
    return this.summary !== undefined;
  }

  get isGone(): boolean {
    return this.summary === null;
  }

  get estimate(): number {
    return this.summary ? (this.summary.newest ?? this.summary.touched) : this.#estimate;
  }

  /** Those of its own files that were there. */
  get files(): readonly DatedFile[] {
    return this.session.files
      .map(({ path }, i) => ({ path, modifiedAt: this.identity[i * NUMBERS_PER_IDENTITY + MODIFIED_AT]! }))
      .filter(({ modifiedAt }) => !Number.isNaN(modifiedAt));
  }

  /** How large its files and its relatives' are together. */
  get bytes(): number {
    let bytes = 0;
    for (let i = SIZE; i < this.identity.length; i += NUMBERS_PER_IDENTITY) bytes += this.identity[i] || 0;
    return bytes;
  }

  /** @param newest the newest instant in the ends of its files; `NaN` where they hold none */
  refine(newest: number): void {
    if (!Number.isNaN(newest)) this.#estimate = newest;
    this.isRefined = true;
  }

  /** Whether what is known is true of a session whose files look like this. `NaN` means that a file is not there. */
  isOf({ title, directory }: FoundSession, identity: Float64Array): boolean {
    if (title !== this.session.title || directory !== this.session.directory) return false;
    if (this.summary === null || this.summary?.isComplete === false) return false;
    const known = this.identity;
    return known.length === identity.length && known.every((value, i) => Object.is(value, identity[i]));
  }
}
