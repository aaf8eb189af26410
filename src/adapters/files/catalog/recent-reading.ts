import type { ReadOptions } from "../../../application/ports/record-stream.js";
import { SharedReadings, untilAborted } from "../../../application/threads/shared-readings.js";

/** For how long a result may be used again by a caller that does not need the newest, in milliseconds. */
const RECENT_MS = 5_000;

/** A reading whose last result is cached, for callers that accept slightly old data. */
export class RecentReading<T> {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #readings = new SharedReadings<T>();
  #last: { readonly result: T; readonly at: number } | undefined;
  #ahead: Promise<T> | undefined;
  /** Ends the reading ahead, as long as nobody waits for it. */
  #leaving: AbortController | undefined;

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read;
  }

  get last(): T | undefined {
    return this.#last?.result;
  }

  /**
   * Begins a reading for whoever asks next: callers of {@link aheadOrNow} that come while it runs get its result, or the first one
   * within a few seconds after it. Where it fails, they read themselves.
   *
   * @param prepare what else they will need of it
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

  /** Stops the reading ahead that nobody has requested: current requests then have the threads for themselves. */
  leaveOff(): void {
    this.#leaving?.abort();
  }

  /** The result of a reading that begins after this call. */
  now(options?: ReadOptions): Promise<T> {
    return this.#readings.read("", (signal) => this.#begin(signal), options);
  }

  /** The result of the reading that was begun {@link ahead} of this call, where there is one; else as {@link now}. */
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

  /** A result that is a few seconds old at most. */
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
