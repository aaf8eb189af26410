import type { SessionKey, SessionStore, StoreCallOptions } from "../ports/session-store.js";

/** One call of a store: its records, which JSON can hold, and the function that makes the call. */
export interface StoreCall<Records = unknown, Result = unknown> {
  readonly key: SessionKey;
  readonly records: Records;
  readonly send: (store: SessionStore, records: Records, options?: StoreCallOptions) => Promise<Result>;
  /** True if the call depends on the results of earlier calls: it then waits until they have ended. Default is false. */
  readonly needsAnswers?: boolean;
  readonly onStored?: (result: Result) => void;
  /**
   * @param isRefused true if the store was not called, because too many records wait for it
   * @returns true if a later call sends the data again, so that it is not lost
   */
  readonly onLost?: (isRefused: boolean) => boolean;
}

/** Creates a call that can be queued with calls of other types. Each call receives its own records. */
export function storeCall<Records, Result>(call: StoreCall<Records, Result>): StoreCall {
  return call as StoreCall;
}

/** The outcome of the recorded data. */
export interface FlushReport {
  /**
   * Number of records lost since the recorder was created: the store rejected them permanently, or too many records waited for it. The
   * data of one call is one record.
   */
  readonly lost: number;
  /** Number of records that still wait for the store. 0 unless the time was over. */
  readonly waiting: number;
}

export interface FlushOptions {
  /** Maximum time to wait for the store, in milliseconds: from 1 to 2147483647. Default is no limit. */
  readonly timeoutMs?: number | undefined;
}

/** Calls a store for a recorder. */
export interface StoreCalls {
  /** True if calls end before the store has answered. */
  readonly isBuffered: boolean;

  /**
   * @param what follows on `could not`
   * @param build what to call: made at once, in the order of the calls
   * @returns what whoever records waits for
   */
  write(what: string, build: () => readonly StoreCall[]): Promise<void>;

  /**
   * The same for a call whose answer is needed.
   *
   * @returns the answer; `undefined` if there is no answer, or not yet
   */
  ask<Result>(what: string, build: () => StoreCall<unknown, Result>): Promise<Result | undefined>;

  /** Waits until what was recorded so far is stored or lost. It never rejects. */
  flush(timeoutMs?: number): Promise<FlushReport>;
}

/**
 * Waits for a promise that does not reject, so long at most.
 *
 * @returns whether it was settled in time
 */
export async function within(timeoutMs: number | undefined, promise: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<boolean>((resolve) => {
    if (timeoutMs !== undefined) timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const isInTime = await Promise.race([promise.then(() => true), over]);
  clearTimeout(timer);
  return isInTime;
}
