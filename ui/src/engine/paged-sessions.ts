import { compareSessions, type InspectorSessionItem } from "../../../src/domain/session/session.js";

/** The sessions of some pages, each once, as the last page that has it gives it. */
export class PagedSessions {
  readonly #sessions = new Map<string, InspectorSessionItem>();
  #last: InspectorSessionItem | undefined;
  #isSorted = true;

  get size(): number {
    return this.#sessions.size;
  }

  add(page: readonly InspectorSessionItem[]): void {
    const [first] = page;
    if (first !== undefined && this.#last !== undefined && compareSessions(first, this.#last) < 0) {
      this.#isSorted = false;
    }
    for (const session of page) {
      const key = `${session.tenantId}\0${session.sessionId}`;
      if (this.#sessions.has(key)) this.#isSorted = false;
      this.#sessions.set(key, session);
    }
    this.#last = page.at(-1) ?? this.#last;
  }

  /** What turned out to belong further up is there. */
  inOrder(): InspectorSessionItem[] {
    const sessions = [...this.#sessions.values()];
    return this.#isSorted ? sessions : sessions.sort(compareSessions);
  }
}
