import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import type { SessionRef } from "../model/address.js";
import { findSessionItem } from "./find-sessions.js";

/** What the list says of sessions that are on the screen, asked for one after another and kept. */
export class SessionItems {
  readonly #base: string;
  readonly #onFound: () => void;
  /** By tenant and session; `undefined` while it is asked for, and where there is none. */
  readonly #items = new Map<string, InspectorSessionItem | undefined>();
  #last: Promise<void> = Promise.resolve();
  #asking = new AbortController();

  /** @param onFound called when another one is known */
  constructor(base: string, onFound: () => void) {
    this.#base = base;
    this.#onFound = onFound;
  }

  /** The entry of the list as far as it is known; it is asked for where it is not. */
  get(session: SessionRef): InspectorSessionItem | undefined {
    const key = JSON.stringify([session.tenantId, session.sessionId]);
    if (!this.#items.has(key)) {
      this.#items.set(key, undefined);
      const { signal } = this.#asking;
      this.#last = this.#last.then(() => this.#ask(session, key, signal));
    }
    return this.#items.get(key);
  }

  /** Asks no further; what was not answered is asked for again when it is on the screen again. */
  stop(): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    for (const [key, item] of this.#items) if (item === undefined) this.#items.delete(key);
  }

  async #ask(session: SessionRef, key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const item = await findSessionItem(this.#base, session, signal);
    if (signal.aborted || item === undefined) return;
    this.#items.set(key, item);
    this.#onFound();
  }
}
