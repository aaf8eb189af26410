import type { ReadOptions } from "../../../application/ports/record-stream.js";
import { SharedReadings, untilAborted } from "../../../application/threads/shared-readings.js";

/** Milliseconds. */
const RECENT_MS = 5_000;

/** Caches the last result for callers that accept slightly old data. */
export class RecentReading<T> {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #readings = new SharedReadings<T>();
  #last: { readonly result: T; readonly at: number } | undefined;
  #ahead: Promise<T> | undefined;
  /** Aborts the reading in advance while no caller waits for it. */
  #leaving: AbortController | undefined;

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read;
  }

  get last(): T | undefined {
    return this.#last?.result;
  }

  /**
   * Begins a reading for the next caller of {@link aheadOrNow}: it receives the result until a few seconds after the end. After a failure
   * callers read themselves.
   * @param prepare further work on the result
   */
  ahead(prepare: (result: T, signal: AbortSignal) => Promise<void>): void {
    const read = async (signal: AbortSignal) => {
      const result = await this.#begin(signal);
      await prepare(result, signal);
      return result;
    };
    const leaving = new AbortController();
    this.#leaving = leaving;
    const ahead = this.#readings.read("", read, { signal: leaving.signal });
    const forget = () => {
      if (this.#ahead === ahead) this.#ahead = undefined;
    };
    this.#ahead = ahead;
    ahead.then(() => setTimeout(forget, RECENT_MS).unref(), forget);
  }

  /** Frees the threads for present requests. */
  leaveOff(): void {
    this.#leaving?.abort();
  }

  /** Begins after this call. */
  now(options?: ReadOptions): Promise<T> {
    return this.#readings.read("", (signal) => this.#begin(signal), options);
  }

  /** The result of {@link ahead} if there is one, otherwise as {@link now}. */
  async aheadOrNow(options?: ReadOptions): Promise<T> {
    if (this.#ahead === undefined) return this.now(options);
    this.#leaving = undefined;
    try {
      return await untilAborted(this.#ahead, options?.signal);
    } catch (error) {
      if (options?.signal?.aborted) throw error;
      return this.now(options);
    } finally {
      this.#ahead = undefined;
    }
  }

  async recent(options?: ReadOptions): Promise<T> {
    const last = this.#last;
    return last !== undefined && performance.now() - last.at <= RECENT_MS ? last.result : this.now(options);
  }

  forget(): void {
    this.#last = undefined;
  }

  async #begin(signal: AbortSignal): Promise<T> {
    const at = performance.now();
    const result = await this.#read(signal);
    this.#last = { result, at };
    return result;
  }
}
