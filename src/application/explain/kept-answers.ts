/** How many are kept, of those that were asked for last. */
const MOST_KEPT = 16;

/** Answers that took long and are small, for as long as what they were made of is the same. */
export class KeptAnswers<Answer> {
  /** The newest one is the last one. */
  readonly #kept = new Map<string, { readonly revision: string; readonly answer: Answer }>();

  /** @param revision of what it is made of, now */
  find(name: string, revision: string | undefined): Answer | undefined {
    const kept = this.#kept.get(name);
    return kept !== undefined && kept.revision === revision ? kept.answer : undefined;
  }

  /** @param revision an answer without one is not kept: nobody could say whether it still holds */
  keep(name: string, revision: string | undefined, answer: Answer): void {
    if (revision === undefined) return;
    this.#kept.delete(name);
    this.#kept.set(name, { revision, answer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
