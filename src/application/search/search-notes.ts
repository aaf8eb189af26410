import type { SessionKey } from "../../domain/session/session-key.js";
import { SessionNotFoundError, SourceChangedError, SourceUnavailableError } from "../errors.js";
import type { BatchResult } from "./search-batch.js";
import type { SearchReadOptions } from "./search-read-options.js";

/** Notes name at most this many sessions; the last note counts the others. */
const MOST_NAMED = 20;

/** Collects the notes of a search: sentences for the client, mostly about sessions and records that it skipped. */
export class SearchNotes {
  readonly #sentences = new Set<string>();
  #named = 0;
  /** Number of sessions that had a problem but are not named. */
  #leftOut = 0;

  add(sentences: readonly string[] = []): void {
    for (const sentence of sentences) this.#sentences.add(sentence);
  }

  /**
   * @param problem continues the sentence after the session's name
   * @returns true if there is room to name the session
   */
  addSession({ tenantId, sessionId }: SessionKey, problem: string): boolean {
    if (this.#named === MOST_NAMED) {
      this.#leftOut++;
      return false;
    }
    this.#named++;
    this.#sentences.add(`Session "${sessionId}" of tenant "${tenantId}" ${problem}.`);
    return true;
  }

  /** Adds a note about records that the search skipped. `first` is the text of the first fault. */
  addFaults(key: SessionKey, { records, first }: BatchResult["faults"]): void {
    if (records === 0) return;
    this.addSession(key, `holds ${records} records that made the search fail (${first}), which are skipped`);
  }

  get sentences(): readonly string[] {
    if (this.#leftOut === 0) return [...this.#sentences];
    return [...this.#sentences, `${this.#leftOut} more sessions have such a note.`];
  }
}

/** Options for skipping a session. */
interface LeavingOut {
  readonly notes: SearchNotes;
  /** True if the request names this session: the search then throws its error and does not skip it. */
  readonly isNamed: boolean;
  readonly options: SearchReadOptions;
  /** Removes the partial result of a failed try. */
  undo?(): void;
}

/**
 * Searches a session, or skips it with a note if it is unreadable. Retries once if the session changed meanwhile.
 * @param search runs again after such a change
 * @returns `undefined` if the session is skipped
 */
export async function orLeftOut<Result>(
  key: SessionKey,
  search: () => Promise<Result>,
  { notes, isNamed, options, undo }: LeavingOut,
): Promise<Result | undefined> {
  for (let isLastTry = false; ; isLastTry = true) {
    try {
      return await search();
    } catch (error) {
      options.signal?.throwIfAborted();
      undo?.();
      if (error instanceof SourceChangedError && !isLastTry) continue;
      if (isNamed) throw error;
      const { problem, isFailure } = reasonToSkip(error);
      const isNoted = notes.addSession(key, `${problem}, and is skipped`);
      if (isNoted && isFailure) options.onFailure?.(error);
      return undefined;
    }
  }
}

/**
 * Returns only general reasons: the error of a custom source can contain internal details.
 * `isFailure` is false for ordinary changes of a session.
 */
function reasonToSkip(error: unknown): { readonly problem: string; readonly isFailure: boolean } {
  if (error instanceof SessionNotFoundError) return { problem: "is gone", isFailure: false };
  if (error instanceof SourceChangedError)
    return { problem: "changed while it was searched", isFailure: false };
  if (error instanceof SourceUnavailableError) return { problem: "cannot be read just now", isFailure: true };
  return { problem: "could not be read", isFailure: true };
}
