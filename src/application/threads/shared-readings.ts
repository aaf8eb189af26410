import type { ReadOptions } from "../ports/record-stream.js";

/** Callers with the same key share one reading. It is aborted when the last waiting caller leaves. */
export class SharedReadings<T> {
  readonly #running = new Map<string, Reading<T>>();

  /**
   * Returns a reading that begins after this call, because an earlier one might miss the latest changes. At most one reading per key runs
   * at a time.
   */
  async read(key: string, read: (signal: AbortSignal) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    const earlier = this.#running.get(key);
    if (earlier !== undefined) await earlier.settled(options.signal);
    const reading = this.#running.get(key) ?? this.#begin(key, read);
    return reading.wait(options.signal);
  }

  #begin(key: string, read: (signal: AbortSignal) => Promise<T>): Reading<T> {
    const reading = new Reading(read);
    this.#running.set(key, reading);
    const forget = () => {
      if (this.#running.get(key) === reading) this.#running.delete(key);
    };
    reading.result.then(forget, forget);
    return reading;
  }
}

class Reading<T> {
  readonly result: Promise<T>;
  readonly #controller = new AbortController();
  #waiting = 0;
  #isSettled = false;

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.result = read(this.#controller.signal).finally(() => {
      this.#isSettled = true;
    });
  }

  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting++;
    try {
      return await untilAborted(this.result, signal);
    } finally {
      this.#waiting--;
      if (this.#waiting === 0 && !this.#isSettled) this.#controller.abort();
    }
  }

  async settled(signal: AbortSignal | undefined): Promise<void> {
    const ended = this.result.then(
      () => undefined,
      () => undefined,
    );
    await untilAborted(ended, signal);
  }
}

export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let leave = () => {};
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([promise, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
