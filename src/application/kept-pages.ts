/** A page of a list: its records as text, batch by batch, and where the next page begins. */
export interface Page {
  readonly texts: readonly Uint8Array[];
  readonly nextCursor: string | null;
}

/** How much memory goes into pages that are kept, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What a page takes besides its texts. */
const OVERHEAD = 512;

/** Keeps the pages of a list that went out, for as long as its source says that it is unchanged. */
export class KeptPages {
  readonly #pages = new Map<string, Page>();
  #revision: string | undefined;
  #bytes = 0;

  find(revision: string, query: string): Page | undefined {
    return revision === this.#revision ? this.#pages.get(query) : undefined;
  }

  keep(revision: string, query: string, page: Page): void {
    const bytes = page.texts.reduce((sum, text) => sum + text.length, OVERHEAD + query.length);
    if (bytes > MAX_BYTES) return;
    if (revision !== this.#revision || this.#bytes + bytes > MAX_BYTES) {
      this.#pages.clear();
      this.#revision = revision;
      this.#bytes = 0;
    }
    if (this.#pages.has(query)) return;
    this.#pages.set(query, page);
    this.#bytes += bytes;
  }
}
