/** A page of a list: its records as text, and where the next one begins. */
export interface Page {
  readonly texts: AsyncIterable<Uint8Array>;
  readonly nextCursor: string | null;
}

interface KeptPage {
  readonly texts: readonly Uint8Array[];
  readonly nextCursor: string | null;
}

/** How much memory goes into pages that are kept, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What a page takes besides its texts. */
const OVERHEAD = 512;

/** Keeps the pages of a list that went out, for as long as its source says that it is unchanged. */
export class KeptPages {
  readonly #pages = new Map<string, KeptPage>();
  #revision: string | undefined;
  #bytes = 0;

  find(revision: string, query: string): Page | undefined {
    const page = revision === this.#revision ? this.#pages.get(query) : undefined;
    return page && { texts: replay(page.texts), nextCursor: page.nextCursor };
  }

  /** Passes a page on, and keeps it once it went out whole. */
  async *keep(revision: string, query: string, page: Page): AsyncGenerator<Uint8Array, void> {
    const texts: Uint8Array[] = [];
    let bytes = OVERHEAD + query.length;
    for await (const text of page.texts) {
      bytes += text.length;
      if (bytes <= MAX_BYTES) texts.push(text.slice());
      yield text;
    }
    if (bytes > MAX_BYTES) return;
    if (revision !== this.#revision || this.#bytes + bytes > MAX_BYTES) this.#startAnew(revision);
    if (this.#pages.has(query)) return;
    this.#pages.set(query, { texts, nextCursor: page.nextCursor });
    this.#bytes += bytes;
  }

  #startAnew(revision: string): void {
    this.#pages.clear();
    this.#revision = revision;
    this.#bytes = 0;
  }
}

async function* replay(texts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* texts;
}
