import type { SessionRef } from "../model/address.js";
import { findSessionItem } from "./find-sessions.js";

/** The titles of sessions that are on the screen, asked for one after another and kept. */
export class SessionTitles {
  readonly #base: string;
  readonly #onFound: () => void;
  /** By tenant and session; `undefined` while it is asked for, and where there is none. */
  readonly #titles = new Map<string, string | undefined>();
  #last: Promise<void> = Promise.resolve();
  #asking = new AbortController();

  /** @param onFound called when another title is known */
  constructor(base: string, onFound: () => void) {
    this.#base = base;
    this.#onFound = onFound;
  }

  /** The title as far as it is known; it is asked for where it is not. */
  get(session: SessionRef): string | undefined {
    const key = JSON.stringify([session.tenantId, session.sessionId]);
    if (!this.#titles.has(key)) {
      this.#titles.set(key, undefined);
      const { signal } = this.#asking;
      this.#last = this.#last.then(() => this.#ask(session, key, signal));
    }
    return this.#titles.get(key);
  }

  /** Asks no further; what was not answered is asked for again when it is on the screen again. */
  stop(): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    for (const [key, title] of this.#titles) if (title === undefined) this.#titles.delete(key);
  }

  async #ask(session: SessionRef, key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const item = await findSessionItem(this.#base, session, signal);
    if (signal.aborted || !item?.title) return;
    this.#titles.set(key, item.title);
    this.#onFound();
  }
}
