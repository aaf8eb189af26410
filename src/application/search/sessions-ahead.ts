import { keyText, type SessionKey } from "../../domain/session/session-key.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { isLocal, type SessionSource } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";

const MOST_RECORDS = 20_000;

const FIRST_SESSIONS = 8;

const FADING = 0.9;

export class SessionSizes {
  #records = MOST_RECORDS / FIRST_SESSIONS;

  add(records: number): void {
    this.#records = Math.max(records, this.#records * FADING, 1);
  }

  get atOnce(): number {
    return Math.max(1, Math.floor(MOST_RECORDS / this.#records));
  }
}

/** Sessions of a store over a network, opened and loaded ahead of a search. A source on this machine gets none: it would not be faster. */
export class SessionsAhead {
  readonly #source: SessionSource;
  readonly #sizes: SessionSizes;
  readonly #signals: readonly AbortSignal[];
  readonly #left = new AbortController();
  readonly #begun = new Map<string, Promise<SessionSnapshot>>();

  constructor(source: SessionSource, sizes: SessionSizes, { signal }: ReadOptions) {
    this.#source = source;
    this.#sizes = sizes;
    this.#signals = signal === undefined ? [this.#left.signal] : [signal, this.#left.signal];
  }

  begin(keys: Iterable<SessionKey>): void {
    if (isLocal(this.#source)) return;
    const most = Math.min(this.#source.capabilities.concurrentReads, this.#sizes.atOnce);
    for (const key of keys) {
      if (this.#begun.size >= most) return;
      const name = keyText(key);
      if (this.#begun.has(name)) continue;
      const opening = this.#load(key);
      opening.catch(() => undefined);
      this.#begun.set(name, opening);
    }
  }

  has(key: SessionKey): boolean {
    return this.#begun.has(keyText(key));
  }

  /** @throws SessionNotFoundError if the session does not exist */
  async take(key: SessionKey): Promise<SessionSnapshot> {
    const name = keyText(key);
    const begun = this.#begun.get(name);
    if (begun === undefined) return await this.#open(key);
    try {
      return await begun;
    } finally {
      this.#begun.delete(name);
    }
  }

  close(): void {
    if (this.#begun.size > 0) this.#left.abort(new Error("The search has come to its end."));
  }

  /** With a separate signal, because each part of a session listens to it. */
  #open(key: SessionKey): Promise<SessionSnapshot> {
    return openSession(this.#source, key, { signal: AbortSignal.any([...this.#signals]) });
  }

  async #load(key: SessionKey): Promise<SessionSnapshot> {
    const session = await this.#open(key);
    session.begin?.(["trace", "orchestration", "messages"]);
    const parts = [session.trace(), session.orchestration().then(({ events }) => events), session.messages()];
    let records = 0;
    for (const part of await Promise.allSettled(parts)) {
      if (part.status === "fulfilled") records += part.value.size;
    }
    this.#sizes.add(records);
    return session;
  }
}
