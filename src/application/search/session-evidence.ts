import type { SearchHit } from "../../domain/search/search-hit.js";
import { CONTENT_KINDS, type ContentKind } from "../../domain/search/search-query.js";
import type { SessionWithHits } from "./session-search-answer.js";

export const VISIBLE_HITS = 3;

export class SessionEvidence {
  readonly hits: SearchHit[] = [];
  #records = 0;
  #last = "";
  readonly #byKind = new Map<ContentKind, number>();

  add(hits: readonly SearchHit[]): void {
    for (const hit of hits) {
      if (this.hits.length < VISIBLE_HITS) this.hits.push(hit);
      this.#byKind.set(hit.in, (this.#byKind.get(hit.in) ?? 0) + 1);
      const record = JSON.stringify([hit.sequence, hit.messageIndex, hit.timestamp]);
      if (record !== this.#last) this.#records++;
      this.#last = record;
    }
  }

  clear(): void {
    this.hits.length = this.#records = 0;
    this.#last = "";
    this.#byKind.clear();
  }

  /**
   * @param lines the source's count; `undefined` without one
   * @param isComplete true if the session was read completely
   */
  count(
    lines: number | undefined,
    isComplete: boolean,
  ): Pick<SessionWithHits, "count" | "countIs" | "byKind"> {
    if (isComplete) {
      const kinds = CONTENT_KINDS.filter((kind) => this.#byKind.has(kind));
      const byKind = Object.fromEntries(kinds.map((kind) => [kind, this.#byKind.get(kind)]));
      return { count: this.#records, countIs: "exact", byKind };
    }
    if (lines === undefined) return { count: this.#records, countIs: "least" };
    return { count: Math.max(lines, this.#records), countIs: "about" };
  }
}
