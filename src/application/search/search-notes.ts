import { SessionNotFoundError, SourceChangedError, SourceUnavailableError } from "../errors.js";
import type { SessionKey } from "../ports/session-store.js";

/** How many sessions an answer names; further ones are counted. */
const MOST_NAMED = 20;

/** What an answer says of what could not be looked at. */
export class SearchNotes {
  readonly #sentences = new Set<string>();
  #named = 0;
  #leftOut = 0;

  /** What the source says. */
  add(sentences: readonly string[] = []): void {
    for (const sentence of sentences) this.#sentences.add(sentence);
  }

  /**
   * @param problem goes on from the session's name
   * @returns whether there is room to name it
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

  get sentences(): readonly string[] {
    if (this.#leftOut === 0) return [...this.#sentences];
    return [...this.#sentences, `${this.#leftOut} more sessions have such a note.`];
  }
}

/** Why a session is left out: a cause of an own source is not said. */
export function leftOutBecause(error: unknown): { readonly problem: string; readonly isFailure: boolean } {
  if (error instanceof SessionNotFoundError) return { problem: "is gone", isFailure: false };
  if (error instanceof SourceChangedError)
    return { problem: "changed while it was searched", isFailure: false };
  if (error instanceof SourceUnavailableError) return { problem: "cannot be read just now", isFailure: true };
  return { problem: "could not be read", isFailure: true };
}
