import { ApiError, type ApiProblem } from "../api/api-problem.js";
import { type FetchedList, fetchRecords, type RecordWarning } from "../api/fetch-records.js";

/** Without an `ETag`, asking again means reading everything again: at least this long, and this often its own time, apart. */
const MIN_BLIND_POLL_MS = 10_000;
const BLIND_POLL_FACTOR = 20;

const FIRST_DRAWN = 40;
const GROWTH = 4;

/**
 * One list of one session, as JSON texts, kept up to date. While it is read for the first time `onGrowth` is called now and
 * then, and the rest waits for what it gives; later readings replace the whole, once, when they are complete.
 */
export class LiveList {
  texts: readonly string[] = [];
  warnings: readonly RecordWarning[] = [];
  problem: ApiProblem | undefined;
  loading = true;
  readonly #address: string;
  readonly #member: string;
  readonly #signal: AbortSignal;
  readonly #onGrowth: () => Promise<void> | undefined;
  #etag: string | undefined;
  #loaded = false;
  #busy = false;
  #notBefore = 0;

  constructor(
    address: string,
    member: string,
    signal: AbortSignal,
    onGrowth: () => Promise<void> | undefined,
  ) {
    this.#address = address;
    this.#member = member;
    this.#signal = signal;
    this.#onGrowth = onGrowth;
  }

  /** Reads the list where it may have changed. @returns whether anything is different now */
  async refresh(): Promise<boolean> {
    if (this.#busy || Date.now() < this.#notBefore) return false;
    this.#busy = true;
    const before = this.problem;
    try {
      return (await this.#read()) || before !== undefined;
    } catch (error) {
      // Nobody looks at this session any more.
      if (this.#signal.aborted) return false;
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
      return before?.detail !== error.problem.detail;
    } finally {
      this.loading = false;
      this.#busy = false;
    }
  }

  async #read(): Promise<boolean> {
    const began = Date.now();
    const first = !this.#loaded;
    const texts: string[] = [];
    if (first) this.texts = texts;
    let reported = 0;
    let held: Promise<void> | undefined;
    const onRecord = (text: string) => {
      texts.push(text);
      // A piece of the answer holds many records; what has grown so much is worth drawing again.
      if (first && texts.length >= Math.max(FIRST_DRAWN, reported * GROWTH)) {
        reported = texts.length;
        held = this.#onGrowth();
      }
    };
    const etag = this.#etag === undefined ? {} : { etag: this.#etag };
    const fetched = await fetchRecords(this.#address, this.#member, onRecord, {
      signal: this.#signal,
      hold: () => {
        const holding = held;
        held = undefined;
        return holding;
      },
      ...etag,
    });
    this.problem = undefined;
    if (fetched === undefined) return false;
    this.#loaded = true;
    if (fetched.etag === undefined) {
      this.#notBefore = Date.now() + Math.max(MIN_BLIND_POLL_MS, (Date.now() - began) * BLIND_POLL_FACTOR);
    }
    return this.#accept(texts, fetched, first);
  }

  #accept(texts: readonly string[], fetched: FetchedList, first: boolean): boolean {
    const same =
      !first &&
      texts.length === this.texts.length &&
      texts.every((text, i) => text === this.texts[i]) &&
      JSON.stringify(fetched.warnings) === JSON.stringify(this.warnings);
    this.#etag = fetched.etag;
    this.warnings = fetched.warnings;
    this.texts = texts;
    return !same;
  }
}
