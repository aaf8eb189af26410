import { SessionNotFoundError, SourceChangedError, SourceUnavailableError } from "../errors.js";
import type { SessionKey } from "../ports/session-store.js";
import type { BatchResult } from "./search-batch.js";
import type { SearchReadOptions } from "./search-read-options.js";

const MOST_NAMED = 20;

export class SearchNotes {
  readonly #sentences = new Set<string>();
  #named = 0;
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

  addFaults(key: SessionKey, { records, first }: BatchResult["faults"]): void {
    if (records === 0) return;
    this.addSession(key, `holds ${records} records that made the search fail (${first}), which are skipped`);
  }

  get sentences(): readonly string[] {
    if (this.#leftOut === 0) return [...this.#sentences];
    return [...this.#sentences, `${this.#leftOut} more sessions have such a note.`];
  }
}

interface LeavingOut {
  readonly notes: SearchNotes;
  /** True if the request named the session: its failure then fails the answer. */
  readonly isNamed: boolean;
  readonly options: SearchReadOptions;
  undo?(): void;
}

/**
 * Retries once if the session changed meanwhile. A session that changes again, or is unreadable, is skipped with a note.
 * @param search may be called twice
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
      const { problem, isFailure } = leftOutBecause(error);
      const isNoted = notes.addSession(key, `${problem}, and is skipped`);
      if (isNoted && isFailure) options.onFailure?.(error);
      return undefined;
    }
  }
}

/** Omits the cause of a custom source's error. */
function leftOutBecause(error: unknown): { readonly problem: string; readonly isFailure: boolean } {
  if (error instanceof SessionNotFoundError) return { problem: "is gone", isFailure: false };
  if (error instanceof SourceChangedError)
    return { problem: "changed while it was searched", isFailure: false };
  if (error instanceof SourceUnavailableError) return { problem: "cannot be read just now", isFailure: true };
  return { problem: "could not be read", isFailure: true };
}
