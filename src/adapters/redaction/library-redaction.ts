import { UnlookableError } from "../../application/errors.js";
import type {
  ArchiveLines,
  OwnRule,
  Redaction,
  RedactionFinding,
  RedactionReview,
} from "../../application/ports/export.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { ThreadSession } from "../../application/threads/thread-session.js";
import {
  BEGIN_REMOVAL,
  BEGIN_REVIEW,
  END_REVIEW,
  REMOVE_FROM_LINES,
  REVIEW_LINES,
  valueIn,
} from "./redaction-tasks.js";
import type { MachineFacts, RedactionSetup, ReviewedSession } from "./session-review.js";

export interface RedactionOptions {
  /** Custom rules, which run first; see `ownRulesIn`. None by default. */
  readonly rules?: readonly OwnRule[] | undefined;
  /** Facts of the machine to search for, besides the sessions' own. Default is nothing. */
  readonly machine?: MachineFacts | undefined;
}

/**
 * Finds secrets by the rules of secretlint and by the owners' data in sessions. Runs in threads, and loads nothing before the first
 * request.
 */
export function createRedaction(pool: ReadingPool, options: RedactionOptions = {}): Redaction {
  return new LibraryRedaction(pool, { rules: options.rules ?? [], machine: options.machine ?? {} });
}

class LibraryRedaction implements Redaction {
  readonly #pool: ReadingPool;
  readonly #setup: RedactionSetup;

  constructor(pool: ReadingPool, setup: RedactionSetup) {
    this.#pool = pool;
    this.#setup = setup;
  }

  async review(lines: ArchiveLines, options: ReadOptions = {}): Promise<RedactionReview> {
    const thread = new ThreadSession(this.#pool, options);
    try {
      valueIn(await thread.call(BEGIN_REVIEW, this.#setup));
      for await (const batch of lines) valueIn(await thread.call(REVIEW_LINES, batch));
      return new FullReview(valueIn(await thread.call(END_REVIEW, undefined)));
    } finally {
      await thread.close();
    }
  }

  async *remove(
    lines: ArchiveLines,
    review: RedactionReview,
    options: ReadOptions & { readonly keep: ReadonlySet<string> },
  ): ArchiveLines {
    if (!(review instanceof FullReview))
      throw new UnlookableError("What is to be exported was not looked at here.");
    const { reviewed, digests } = review.session;
    const thread = new ThreadSession(this.#pool, options);
    try {
      valueIn(await thread.call(BEGIN_REMOVAL, { ...this.#setup, reviewed, digests, keep: options.keep }));
      for await (const batch of lines) yield valueIn(await thread.call(REMOVE_FROM_LINES, batch));
    } finally {
      await thread.close();
    }
  }
}

class FullReview implements RedactionReview {
  readonly findings: readonly RedactionFinding[];
  readonly #session: ReviewedSession;

  constructor(session: ReviewedSession) {
    this.findings = session.findings;
    this.#session = session;
  }

  get session(): ReviewedSession {
    return this.#session;
  }
}
