import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { findSessionItem } from "../sessions/find-sessions.js";

export class SessionItems {
  readonly #base: string;
  readonly #onItems: () => void;
  /** By tenant and session; `undefined` during the request, or without an entry. */
  readonly #items = new Map<string, InspectorSessionItem | undefined>();
  #last: Promise<void> = Promise.resolve();
  #asking = new AbortController();

  /** @param onItem called for each new entry */
  constructor(base: string, onItem: () => void) {
    this.#base = base;
    this.#onItems = onItem;
  }

  get(session: SessionKey): InspectorSessionItem | undefined {
    const key = keyText(session);
    if (!this.#items.has(key)) {
      this.#items.set(key, undefined);
      const { signal } = this.#asking;
      this.#last = this.#last.then(() => this.#ask(session, key, signal));
    }
    return this.#items.get(key);
  }

  /** Entries without an answer are requested again when they are visible. */
  stop(): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    for (const [key, item] of this.#items) if (item === undefined) this.#items.delete(key);
  }

  async #ask(session: SessionKey, key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const item = await findSessionItem(this.#base, session, signal);
    if (signal.aborted || item === undefined) return;
    this.#items.set(key, item);
    this.#onItems();
  }
}
