import type { SessionKey, SessionStore, StoreCallOptions } from "../ports/session-store.js";

/** One call of a store: what it is given, which JSON can hold, and how it is called. */
export interface StoreCall<Records = unknown, Result = unknown> {
  readonly key: SessionKey;
  readonly records: Records;
  readonly send: (store: SessionStore, records: Records, options?: StoreCallOptions) => Promise<Result>;
  /** Whether it depends on what the calls before it brought to light: then it is made when they have ended. Default is no. */
  readonly needsAnswers?: boolean;
  readonly onStored?: (result: Result) => void;
  /**
   * @param isRefused whether the store was not asked, because too much waits for it
   * @returns whether it is said again with a later call, so that it is not lost
   */
  readonly onLost?: (isRefused: boolean) => boolean;
}

/** A call among others, of which each is given what it holds. */
export function storeCall<Records, Result>(call: StoreCall<Records, Result>): StoreCall {
  return call as StoreCall;
}

/** What became of what was recorded. */
export interface FlushReport {
  /**
   * How many records were lost since the recorder was made: the store rejected them for good, or too much waited for it. What was recorded with one
   * call is one record.
   */
  readonly lost: number;
  /** How many records still wait for the store. 0 unless the time was over. */
  readonly waiting: number;
}

export interface FlushOptions {
  /** How long to wait for the store, in milliseconds: from 1 to 2147483647. Default is as long as it takes. */
  readonly timeoutMs?: number | undefined;
}

/** How a recorder calls its store. */
export interface StoreCalls {
  /** Whether calls end before the store has answered. */
  readonly isBuffered: boolean;

  /**
   * @param what follows on `could not`
   * @param build what to call: made at once, in the order of the calls
   * @returns what whoever records waits for
   */
  write(what: string, build: () => readonly StoreCall[]): Promise<void>;

  /**
   * The same for a call whose answer is asked for.
   *
   * @returns the answer; `undefined` where there is none, or not yet
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
