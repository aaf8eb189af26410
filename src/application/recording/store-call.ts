import type { SessionKey } from "../../domain/session/session-key.js";
import type { SessionStore, StoreCallOptions } from "../ports/session-store.js";

export interface StoreCall<Records = unknown, Result = unknown> {
  readonly key: SessionKey;
  readonly records: Records;
  readonly send: (store: SessionStore, records: Records, options?: StoreCallOptions) => Promise<Result>;
  /** True if the call waits for the ends of earlier calls. Default is false. */
  readonly needsAnswers?: boolean;
  readonly onStored?: (result: Result) => void;
  /**
   * @param isRefused true if the store was not called, because too many records wait for it
   * @returns true if a later call sends the data again
   */
  readonly onLost?: (isRefused: boolean) => boolean;
}

export function storeCall<Records, Result>(call: StoreCall<Records, Result>): StoreCall {
  return call as StoreCall;
}

export interface FlushReport {
  /**
   * Number of records lost since the recorder was created: the store rejected them permanently, or too many waited. One call is one
   * record.
   */
  readonly lost: number;
  /** 0 unless the time was over. */
  readonly waiting: number;
}

export interface FlushOptions {
  /** In milliseconds, from 1 to 2147483647. Default is no limit. */
  readonly timeoutMs?: number | undefined;
}

export interface StoreCalls {
  readonly isBuffered: boolean;

  /**
   * @param what follows on `could not`
   * @param build called at once, in the order of the calls
   */
  write(what: string, build: () => readonly StoreCall[]): Promise<void>;

  /** @returns the answer; `undefined` without an answer in time */
  ask<Result>(what: string, build: () => StoreCall<unknown, Result>): Promise<Result | undefined>;

  /** Waits until all earlier records are stored or lost. It never rejects. */
  flush(timeoutMs?: number): Promise<FlushReport>;
}

/**
 * @param promise must not reject
 * @returns true if it settled in time
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
