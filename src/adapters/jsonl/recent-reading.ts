import type { ReadOptions } from "../../application/ports/record-stream.js";
import { SharedReadings } from "./shared-readings.js";

/** For how long a result may be used again by a caller that does not need the newest, in milliseconds. */
const RECENT_MS = 5_000;

/** One reading whose last result is kept, for those who can do with what was so a moment ago. */
export class RecentReading<T> {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #readings = new SharedReadings<T>();
  #last: { readonly result: T; readonly at: number } | undefined;

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read;
  }

  /** The last result, however old. */
  get last(): T | undefined {
    return this.#last?.result;
  }

  /** The result of a reading that begins after this call. */
  now(options?: ReadOptions): Promise<T> {
    return this.#readings.read("", (signal) => this.#begin(signal), options);
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
